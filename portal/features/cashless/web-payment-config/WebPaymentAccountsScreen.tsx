import { Button, Flex, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type WebPaymentConfig, webPaymentConfigs } from '#contract/cashless/web-payment-config.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { queryOf } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AccountForm } from './AccountForm.tsx'
import { accountLooks, accountStateOf } from './accountLooks.ts'
import { useTrial } from './useTrial.ts'

/** The merchant's accounts with payment services, without their secrets. */
export default function WebPaymentAccountsScreen() {
  return (
    <AddressMerchant>
      <Accounts />
    </AddressMerchant>
  )
}

function Accounts() {
  const { t } = useTranslation('web-payment-config')
  const { isAll, name } = useMerchant()
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={isAll ? undefined : t('subtitle', { merchant: name })} />
      {isAll ? <EmptyState title={t('oneMerchant.title')} text={t('oneMerchant.text')} /> : <MerchantAccounts />}
    </>
  )
}

function MerchantAccounts() {
  const { t } = useTranslation('web-payment-config')
  const { id: merchantId } = useMerchant()
  const { data, error, refetch } = useQuery(
    queryOf(webPaymentConfigs.listWebPaymentConfigs, { params: { merchantId } }),
  )
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  if (data.length === 0) return <EmptyState title={t('empty.title')} text={t('empty.text')} />
  return (
    <Stack gap="md" maw={720}>
      {data.map((account) => (
        <Account key={account.serviceId} account={account} />
      ))}
    </Stack>
  )
}

function Account({ account }: { account: WebPaymentConfig }) {
  const { t } = useTranslation(['web-payment-config', 'ui'])
  const [isOpen, setOpen] = useState(false)
  const trial = useTrial(account.serviceId)
  const { serviceName: name, serviceType, serviceDescription, version, credentials } = account
  const isSet = version > 0
  const facts = [
    ...Object.entries(credentials).map(([field, value]) => ({
      name: t(`credential.${field}`),
      value: value === '' ? null : <CopyId value={value} />,
    })),
    ...account.secrets.map((field) => ({
      name: t(`credential.${field}`),
      value: account.setAt && (
        <>
          {t('setOn')} <When at={account.setAt} />
        </>
      ),
    })),
    { name: t('setBy'), value: account.setBy ?? t('ui:provider') },
    {
      name: t('callbackUrl'),
      value: account.callbackUrl && (
        <Text span ff="monospace" fz="fine" className="breaks">
          {account.callbackUrl}
        </Text>
      ),
    },
  ]
  return (
    <Card
      title={name}
      note={nameOf(webPaymentTypes, serviceType)}
      actions={<StatusBadge of={accountLooks} value={accountStateOf(account)} />}
    >
      <Stack gap="part">
        {serviceDescription && <Text c="dimmed">{serviceDescription}</Text>}
        {isSet ? <Facts facts={facts} /> : <Text c="dimmed">{t('notSetText')}</Text>}
        <Flex rowGap="near" columnGap="sm" wrap="wrap" align="center">
          <Button
            variant="default"
            size="xs"
            aria-label={t(isSet ? 'editNamed' : 'setUpNamed', { name })}
            onClick={() => setOpen(true)}
          >
            {t(isSet ? 'edit' : 'setUp')}
          </Button>
          {isSet && (
            <Button
              variant="default"
              size="xs"
              aria-label={t('testNamed', { name })}
              loading={trial.isPending}
              onClick={trial.run}
            >
              {t('test')}
            </Button>
          )}
          {trial.result && (
            <span role="status">
              <StatusBadge of={trial.looks} value={trial.result} />
            </span>
          )}
        </Flex>
      </Stack>
      {isOpen && (
        <Dialog
          onClose={() => setOpen(false)}
          size="lg"
          title={t('dialog', { name })}
          closeButtonProps={{ 'aria-label': t('ui:close') }}
        >
          <AccountForm
            account={account}
            done={() => {
              setOpen(false)
              trial.run()
            }}
            cancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </Card>
  )
}
