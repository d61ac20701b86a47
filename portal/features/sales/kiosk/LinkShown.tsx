import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '#portal/ui/value/CopyId.tsx'

/** The link of a new wall display, shown once. */
export function LinkShown({ link, close }: { link: string; close: () => void }) {
  const { t } = useTranslation(['kiosk', 'ui'])
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (await copyText(link)) setCopied(true)
  }
  return (
    <Stack gap="md">
      <p>{t('kiosk:once')}</p>
      <Text component="code" p="sm" bdrs="md" bg="var(--sunken)" ff="monospace" fz="fine" className="breaks">
        {link}
      </Text>
      <Text c="dimmed" fz="fine">
        {t('kiosk:onceText')}
      </Text>
      <Flex gap="near" justify="flex-end">
        <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
          {isCopied ? t('ui:copy.done') : t('kiosk:copy')}
        </Button>
        <Button onClick={close}>{t('kiosk:kept')}</Button>
      </Flex>
    </Stack>
  )
}
