import { Button, Flex, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMerchant } from '#portal/app/merchant.tsx'
import { copyText } from '#portal/ui/value/CopyId.tsx'
import classes from './Settings.module.css'

/** A new token, shown once, with a call to try it. */
export function TokenShown({ token, close }: { token: string; close: () => void }) {
  const { t } = useTranslation(['settings', 'ui'])
  const { id: merchantId } = useMerchant()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (await copyText(token)) setCopied(true)
  }
  return (
    <Stack gap="md">
      <p>{t('settings:token.once')}</p>
      <code className={classes.once}>{token}</code>
      <Text c="dimmed" fz="fine" className="breaks">
        {t('settings:token.example')}
      </Text>
      <pre className={classes.example}>
        {`curl -H "Authorization: Bearer $TOKEN" \\\n  ${window.location.origin}/api/v1/merchants/${merchantId}/pos/paged`}
      </pre>
      <Flex gap="near" justify="flex-end">
        <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
          {isCopied ? t('ui:copy.done') : t('settings:token.copy')}
        </Button>
        <Button onClick={close}>{t('settings:token.kept')}</Button>
      </Flex>
    </Stack>
  )
}
