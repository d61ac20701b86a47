import { Box, Flex, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../KeyPortal.module.css'
import { KeyFrame, type ShownPortal } from './KeyFrame.tsx'

/** The customers' app on a phone and on a desktop. */
export function PreviewFrames({ preview }: { preview: ShownPortal }) {
  const { t } = useTranslation('portal-settings')
  return (
    <Flex gap="xl" wrap="wrap" align="flex-start" className={classes.frames}>
      <div>
        <Title order={2} mb="near" c="dimmed" fz="sm" fw={600} lh="inherit">
          {t('preview.phone')}
        </Title>
        <div className={classes.phone}>
          <KeyFrame preview={preview} title={t('preview.phone')} />
        </div>
      </div>
      <Box flex="1" miw="min(100%, 560px)" className="wide-only">
        <Title order={2} mb="near" c="dimmed" fz="sm" fw={600} lh="inherit">
          {t('preview.desktop')}
        </Title>
        <div className={classes.window}>
          <KeyFrame preview={preview} title={t('preview.desktop')} />
        </div>
      </Box>
    </Flex>
  )
}
