import { Button, Flex } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Note } from '#portal/ui/page/Note.tsx'

/** Says that a form shows what was typed before the sign-in. */
export function RestoredNote({ discard }: { discard: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Note component="div" tone="info" mb="md" fw={500} role="status">
      <Flex rowGap="near" columnGap="md" wrap="wrap" align="center" justify="space-between">
        <span>{t('form.restored')}</span>
        <Button variant="default" size="xs" onClick={discard}>
          {t('form.discard')}
        </Button>
      </Flex>
    </Note>
  )
}
