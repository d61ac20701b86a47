import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { medias } from '#contract/cashless/media.ts'
import { call } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { offered } from '#portal/ui/value/useTyped.ts'

/** A filter by media, found by their serials. */
export function useMediaFilter(key: 'mediaIds'): Filter {
  const { t } = useTranslation('shell')
  const { id: merchantId } = useMerchant()
  return useMemo((): Filter => {
    const find: Filter['find'] = async (request) => {
      if (!('ids' in request)) {
        const query = { ...request, size: offered, ord: 'serial' } as const
        const { items, total } = await call(medias.listMedias, { params: { merchantId }, query })
        return { options: items.map(({ id, serial }) => ({ value: id, label: serial })), total }
      }
      const answers = await Promise.allSettled(
        request.ids.map((mediaId) => call(medias.getMedia, { params: { merchantId, mediaId } })),
      )
      const options = answers.flatMap((one) =>
        one.status === 'fulfilled' ? [{ value: one.value.id, label: one.value.serial }] : [],
      )
      return { options, total: options.length }
    }
    return { key, kind: 'multi', name: t('screens.media'), find }
  }, [key, t, merchantId])
}
