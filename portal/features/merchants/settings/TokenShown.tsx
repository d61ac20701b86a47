import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMerchant } from '#portal/app/merchant.tsx'
import { SecretShown } from '#portal/ui/secret/SecretShown.tsx'
import classes from './Settings.module.css'

/** A new token, shown once, with a call to try it. */
export function TokenShown({ token, close }: { token: string; close: () => void }) {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  return (
    <SecretShown
      secret={token}
      once={t('token.once')}
      copyName={t('token.copy')}
      closeName={t('token.kept')}
      close={close}
    >
      <Text c="dimmed" fz="fine" className="breaks">
        {t('token.example')}
      </Text>
      <pre className={classes.example}>
        {`curl -H "Authorization: Bearer $TOKEN" \\\n  ${window.location.origin}/api/v1/merchants/${merchantId}/pos/paged`}
      </pre>
    </SecretShown>
  )
}
