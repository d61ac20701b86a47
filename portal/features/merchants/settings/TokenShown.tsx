import { Button } from '@mantine/core'
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
    <div className={classes.dialog}>
      <p>{t('settings:token.once')}</p>
      <code className={classes.once}>{token}</code>
      <p className={classes.fine}>{t('settings:token.example')}</p>
      <pre className={classes.example}>
        {`curl -H "Authorization: Bearer $TOKEN" \\\n  ${window.location.origin}/api/v1/merchants/${merchantId}/pos/paged`}
      </pre>
      <div className={classes.buttons}>
        <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
          {isCopied ? t('ui:copy.done') : t('settings:token.copy')}
        </Button>
        <Button onClick={close}>{t('settings:token.kept')}</Button>
      </div>
    </div>
  )
}
