import { Button, Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import classes from './Licence.module.css'

/** Shows a new licence key, this once. */
export function KeyDialog({ name, licenceKey, close }: { name: string; licenceKey: string; close: () => void }) {
  const { t } = useTranslation(['licence', 'ui'])
  return (
    <Dialog onClose={close} title={t('newKey.title', { name })} closeOnClickOutside={false} withCloseButton={false}>
      <Stack gap="md">
        <Text c="dimmed">{t('newKey.text')}</Text>
        <div className={classes.key}>
          <CopyId value={licenceKey} />
        </div>
        <Flex gap="sm" wrap="wrap" justify="flex-end">
          <Button onClick={close}>{t('ui:close')}</Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
