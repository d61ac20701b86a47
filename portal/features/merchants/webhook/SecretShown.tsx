import { Button, Code, Flex, Stack } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '#portal/ui/value/CopyId.tsx'

/** A new secret, shown once. */
export function SecretShown({ secret, close }: { secret: string; close: () => void }) {
  const { t } = useTranslation(['webhook', 'ui'])
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (await copyText(secret)) setCopied(true)
  }
  return (
    <Stack gap="md">
      <p>{t('webhook:secret.once')}</p>
      <Code block className="breaks">
        {secret}
      </Code>
      <Flex gap="near" justify="flex-end">
        <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
          {isCopied ? t('ui:copy.done') : t('webhook:secret.copy')}
        </Button>
        <Button onClick={close}>{t('webhook:secret.kept')}</Button>
      </Flex>
    </Stack>
  )
}
