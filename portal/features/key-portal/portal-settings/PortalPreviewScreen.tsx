import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { portalSettings } from '#contract/key-portal/portal-settings.ts'
import { queryOf } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { OneMerchantPage } from '#portal/ui/page/OneMerchantPage.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { PreviewFrames } from './PreviewFrames.tsx'
import { useShownPortal } from './useShownPortal.ts'

/** The customers' app as it will be shown, on a phone and on a desktop, before it is published. */
export default function PortalPreviewScreen() {
  return (
    <AddressMerchant>
      <Preview />
    </AddressMerchant>
  )
}

function Preview() {
  const { t } = useTranslation('portal-settings')
  const { isAll, name, id: merchantId } = useMerchant()
  const query = useQuery({
    ...queryOf(portalSettings.getPortalPreview, { params: { merchantId } }),
    enabled: !isAll,
  })
  const { data } = query
  const portalPreview = useShownPortal(merchantId, data)
  const state = data && t(data.isPublished ? 'published' : 'unpublished')
  return (
    <OneMerchantPage
      words="portal-settings"
      title={t('preview.title')}
      subtitle={[name, state].filter(Boolean).join(' · ')}
      query={query}
    >
      {(preview) =>
        !preview.isSaved ? (
          <EmptyState title={t('preview.none')} text={t('preview.noneText')} />
        ) : (
          portalPreview && <PreviewFrames preview={portalPreview} />
        )
      }
    </OneMerchantPage>
  )
}
