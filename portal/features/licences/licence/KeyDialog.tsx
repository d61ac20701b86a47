import { Button, Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'

/** Shows a new licence key, this once. */
export function KeyDialog({ name, licenceKey, close }: { name: string; licenceKey: string; close: () => void }) {
  const { t } = useTranslation(['licence', 'ui'])
  return (
    <Dialog onClose={close} title={t('newKey.title', { name })} closeOnClickOutside={false} withCloseButton={false}>
      <Stack gap="md">
        <Text c="dimmed">{t('newKey.text')}</Text>
        <Panel
          py="part"
          px="md"
          ff="ui-monospace, SFMono-Regular, Menlo, monospace"
          fz="lg"
          radius="md"
          bg="transparent"
          className="breaks"
        >
          <CopyId value={licenceKey} />
        </Panel>
        <Flex gap="sm" wrap="wrap" justify="flex-end">
          <Button onClick={close}>{t('ui:close')}</Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
