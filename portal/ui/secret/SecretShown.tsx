import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '#portal/ui/value/CopyId.tsx'

interface Props {
  secret: string
  /** Says that it is shown once. */
  once: string
  copyName: string
  closeName: string
  close: () => void
  /** How the secret is used. */
  children: ReactNode
}

/** A new secret, shown once, with a button that copies it. */
export function SecretShown({ secret, once, copyName, closeName, close, children }: Props) {
  const { t } = useTranslation('ui')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (await copyText(secret)) setCopied(true)
  }
  return (
    <Stack gap="md">
      <p>{once}</p>
      <Text
        component="code"
        p="sm"
        bdrs="md"
        bg="var(--sunken)"
        ff="monospace"
        fz="fine"
        className="breaks"
        style={{ userSelect: 'all' }}
      >
        {secret}
      </Text>
      {children}
      <Flex gap="near" justify="flex-end">
        <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
          {isCopied ? t('copy.done') : copyName}
        </Button>
        <Button onClick={close}>{closeName}</Button>
      </Flex>
    </Stack>
  )
}
