import { Box, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ClientData, clientData } from '#contract/licences/client-data.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { call, queryOf } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { SessionPage } from '#portal/ui/page/SessionPage.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { Splash } from '#portal/ui/part/Splash.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { sentenceOf } from '../../../app/apiError.ts'

/** The page of a mailed link: the end client checks the data of a licence, confirms them, and gets the licence key. */
export default function ClientDataScreen() {
  const { status, me } = useSession()
  const { hash = '' } = useParams({ strict: false }) as { hash?: string }
  if (me) return <Navigate to="/dashboard" replace />
  if (status === 'inProgress') return <Splash />
  return <Confirmation token={hash} />
}

function Confirmation({ token }: { token: string }) {
  const { t } = useTranslation(['client-data', 'errors'])
  const [licenceKey, setKey] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const answer = useQuery({
    ...queryOf(clientData.getClientData, { params: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const confirm = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      setKey((await call(clientData.confirmClientData, { params: { token } })).licenceKey)
    } catch (error) {
      setFailure(error)
    } finally {
      setSending(false)
    }
  }
  if (licenceKey !== undefined)
    return (
      <SessionPage title={t('client-data:done.title')} text={t('client-data:done.text')}>
        <Panel
          py="part"
          px="md"
          ff="ui-monospace, SFMono-Regular, Menlo, monospace"
          fz="lg"
          radius="md"
          bg="transparent"
          className="breaks"
          role="status"
          aria-label={t('client-data:key')}
        >
          <CopyId value={licenceKey} />
        </Panel>
      </SessionPage>
    )
  const error = failure ?? answer.error
  if (error instanceof ApiError && error.code === 'TokenNotFoundException')
    return <SessionPage title={t('client-data:ended.title')} text={t('client-data:ended.text')} />
  if (answer.error && !answer.data)
    return (
      <SessionPage
        title={t('client-data:failed.title')}
        text={sentenceOf((key, values) => t(key, values), answer.error)}
      >
        <Button size="md" onClick={() => void answer.refetch()}>
          {t('client-data:retry')}
        </Button>
      </SessionPage>
    )
  if (!answer.data) return <Splash />
  const { merchantName: merchant, name } = answer.data
  return (
    <SessionPage title={t('client-data:title')} text={t('client-data:text', { merchant, name })}>
      <Data data={answer.data} />
      {failure !== undefined && (
        <Text my="part" role="alert">
          {sentenceOf((key, values) => t(key, values), failure)}
        </Text>
      )}
      <Button size="md" loading={isSending} onClick={() => void confirm()}>
        {t('client-data:confirm')}
      </Button>
      <Text c="dimmed" fz="sm">
        {t('client-data:wrong', { merchant })}
      </Text>
    </SessionPage>
  )
}

function Data({ data }: { data: ClientData }) {
  const { t } = useTranslation(['client-data', 'licence', 'vocabulary'])
  const format = useFormat()
  const until = instantOf(data.linkExpiresAt)
  const model = deviceTypeNames[data.deviceType as keyof typeof deviceTypeNames] ?? data.deviceType
  const facts: [string, string | null][] = [
    [t('licence:field.organization'), data.organization],
    [t('licence:field.establishmentName'), data.establishmentName],
    [t('licence:field.contactName'), data.contactName],
    [t('licence:field.clientEmail'), data.clientEmail],
    [t('client-data:machine'), `${data.posName} · ${model} · ${data.posSerial}`],
    [t('client-data:address'), data.address],
    [t('licence:field.type'), t(`vocabulary:licenceType.${data.type}`)],
    [t('licence:field.features'), data.features.map((one) => t(`vocabulary:licenceFeature.${one}`)).join(' · ')],
    [t('licence:field.operationMode'), t(`vocabulary:operationMode.${data.operationMode}`)],
    [t('licence:field.maintenanceType'), t(`vocabulary:maintenanceType.${data.maintenanceType}`)],
    [t('licence:field.installedOn'), data.installedOn && format.day(data.installedOn)],
    [t('licence:field.expiresOn'), data.expiresOn ? format.day(data.expiresOn) : t('client-data:noEnd')],
  ]
  return (
    <>
      <Panel component="dl" py="part" px="md" radius="md" bg="transparent">
        <Stack gap="xs">
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <div key={name}>
                <Box component="dt" c="dimmed" fz="sm">
                  {name}
                </Box>
                <Box component="dd" className="breaks">
                  {value}
                </Box>
              </div>
            ))}
        </Stack>
      </Panel>
      {until && (
        <Text c="dimmed" fz="sm">
          {t('client-data:until', { until: format.instant(until, 'minute', data.timeZone) })}
        </Text>
      )}
    </>
  )
}
