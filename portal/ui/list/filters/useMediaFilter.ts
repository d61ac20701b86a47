import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { medias } from '#contract/cashless/media.ts'
import { call } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Filter } from '#portal/ui/list/types.ts'

/** A filter by media, found by their serials. */
export function useMediaFilter(key: 'mediaIds'): Filter {
  const { t } = useTranslation('shell')
  const { id: merchantId } = useMerchant()
  return useMemo((): Filter => {
    const find: Filter['find'] = async (request) => {
      if ('search' in request) {
        const query = { search: request.search, size: 50, ord: 'serial' } as const
        const { items } = await call(medias.listMedias, { params: { merchantId }, query })
        return items.map(({ id, serial }) => ({ value: id, label: serial }))
      }
      const answers = await Promise.allSettled(
        request.ids.map((mediaId) => call(medias.getMedia, { params: { merchantId, mediaId } })),
      )
      return answers.flatMap((one) =>
        one.status === 'fulfilled' ? [{ value: one.value.id, label: one.value.serial }] : [],
      )
    }
    return { key, kind: 'multi', name: t('screens.media'), options: [], find }
  }, [key, t, merchantId])
}
