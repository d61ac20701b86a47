import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { placeOfChange } from '../price-change/places.ts'

/** More machines do not fit into an address. */
const mostInAddress = 100

/** After a planogram was assigned: offers to set target prices from it, by the wizard with its preview. Put `dialog` on the screen. */
export function usePriceOffer() {
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const go = useGo()
  const { me } = useSession()
  const { ask, dialog } = useConfirm()
  /** `machines`: the ids of the assigned machines, or only their number. */
  const offer = (planogramId: string | null, machines: readonly string[] | number) => {
    const count = typeof machines === 'number' ? machines : machines.length
    if (planogramId === null || count === 0 || !me || !roleMay(me.role, 'price.write')) return
    const place =
      typeof machines !== 'number' && count <= mostInAddress
        ? placeOfChange({ posIds: machines, rule: 'planogram' })
        : { to: '/manage/planograms/$planogramId', params: { planogramId } }
    ask({
      title: t('assign.pricesTitle'),
      consequence: t('assign.pricesText', { count, number: format.number(count) }),
      confirm: t('assign.pricesDo'),
      dismiss: { how: 'leave' },
      act: () => void go(place),
    })
  }
  return { offer, dialog }
}
