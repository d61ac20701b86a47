import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { PreviewFrames } from './PreviewFrames.tsx'
import { type Draft, useDraftPreview } from './useDraftPreview.ts'

/** The customers' app with the values of the form, on a phone and on a desktop. */
export default function DraftPreviewDialog({
  isDirty,
  close,
  ...draft
}: Draft & { isDirty: boolean; close: () => void }) {
  const { t } = useTranslation(['portal-settings', 'ui'])
  const isSmall = useMediaQuery('(max-width: 599.98px)', false, { getInitialValueInEffect: false })
  const { preview, error, refetch } = useDraftPreview(draft)
  return (
    <Dialog
      onClose={close}
      title={t('portal-settings:preview.title')}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
      size={1360}
      fullScreen={isSmall}
    >
      {isDirty && (
        <Text my="1em" c="dimmed" fz="sm">
          {t('portal-settings:preview.draft')}
        </Text>
      )}
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : preview ? (
        <PreviewFrames preview={preview} />
      ) : (
        <ScreenSkeleton />
      )}
    </Dialog>
  )
}
