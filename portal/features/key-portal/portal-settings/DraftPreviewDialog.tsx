import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type NewPortalSettings, type PortalFile, portalSettings } from '#contract/key-portal/portal-settings.ts'
import { queryOf } from '#portal/app/api.ts'
import { ScreenSkeleton } from '#portal/app/shell/ScreenSkeleton.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { ErrorState } from '#portal/ui/page/ErrorState.tsx'
import classes from '../KeyPortal.module.css'
import { draftPreview } from './draftPreview.ts'
import { PreviewFrames } from './PreviewFrames.tsx'
import { useShownPortal } from './useShownPortal.ts'

interface Props {
  merchantId: string
  values: NewPortalSettings
  files: readonly PortalFile[]
  isDirty: boolean
  close: () => void
}

/** The customers' app with the values of the form, before they are saved. */
export default function DraftPreviewDialog({ merchantId, values, files, isDirty, close }: Props) {
  const { t } = useTranslation(['portal-settings', 'ui'])
  const { data, error, refetch } = useQuery(queryOf(portalSettings.getPortalPreview, { params: { merchantId } }))
  const draft = useMemo(() => data && draftPreview(data, values, files), [data, values, files])
  const shown = useShownPortal(merchantId, draft)
  return (
    <Dialog
      onClose={close}
      title={t('portal-settings:preview.title')}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
      fullScreen
    >
      {isDirty && <p className={classes.fine}>{t('portal-settings:preview.draft')}</p>}
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : shown ? (
        <PreviewFrames shown={shown} />
      ) : (
        <ScreenSkeleton />
      )}
    </Dialog>
  )
}
