import { NativeSelect, SimpleGrid, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Serial } from '#contract/device-protocol.ts'
import { machines } from '#contract/machines/machine.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import classes from './Association.module.css'
import { type AttachStep, attachLines } from './attachLines.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { newIds } from './messageIds.ts'

const newSerial = () =>
  `G9${String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
    .padStart(5, '0')
    .slice(-5)}`

/** Shell commands that associate a machine by hand and send its messages. */
export default function DeveloperLines({ merchantId, serial }: { merchantId: string; serial: string | undefined }) {
  const { t } = useTranslation('association')
  const answer = useQuery(queryOf(machines.getAssociation, { params: { merchantId } }))
  const info = answer.data
  return (
    <>
      <p className={classes.text}>{t('intro')}</p>
      {answer.error && !info && <ErrorState error={answer.error} retry={answer.refetch} isSmall />}
      {info && <Lines info={info} merchantId={merchantId} machineSerial={serial} />}
    </>
  )
}

interface LinesProps {
  info: Parameters<typeof attachLines>[0]
  merchantId: string
  machineSerial: string | undefined
}

function Lines({ info, merchantId, machineSerial }: LinesProps) {
  const { t } = useTranslation('association')
  const { timeZone } = useMerchantOf(merchantId)
  const [serial, setSerial] = useState(() => machineSerial ?? newSerial())
  const [deviceType, setDeviceType] = useState<string>('AZVT')
  const [name, setName] = useState('')
  const [ids] = useState(newIds)
  const isSerial = Serial.safeParse(serial.trim()).success
  const lines = attachLines(
    info,
    { serial: isSerial ? serial.trim() : 'SERIAL', deviceType, name: name.trim(), timeZone },
    ids,
  )
  const block = (step: AttachStep) => <CodeBlock name={t(`step.${step}`)} code={lines[step]} />
  return (
    <>
      <Title order={3} mt={22} mb="snug" fz={14.5} fw={650} lh="md">
        {t('heading.machine')}
      </Title>
      <SimpleGrid minColWidth={190} autoFlow="auto-fit" spacing="sm">
        <TextInput
          label={t('serial')}
          value={serial}
          maxLength={40}
          error={isSerial ? undefined : t('serialRule')}
          onChange={(event) => setSerial(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('deviceType')}
          value={deviceType}
          onChange={(event) => setDeviceType(event.currentTarget.value)}
          data={deviceTypes.map((type) => ({ value: type, label: `${deviceTypeNames[type]} (${type})` }))}
        />
        <TextInput
          label={t('name')}
          placeholder={t('namePrompt')}
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </SimpleGrid>

      <Title order={3} mt={22} mb="snug" fz={14.5} fw={650} lh="md">
        {t('heading.associate')}
      </Title>
      <p className={classes.text}>{t('text.associate')}</p>
      {block('associate')}

      <Title order={3} mt={22} mb="snug" fz={14.5} fw={650} lh="md">
        {t('heading.speak')}
      </Title>
      <p className={classes.text}>{t('text.speak', { host: info.mqttHost, port: info.mqttPort })}</p>
      {block('hello')}
      {block('state')}
      {block('sale')}
      {block('event')}
      {block('eventEnd')}

      <Title order={3} mt={22} mb="snug" fz={14.5} fw={650} lh="md">
        {t('heading.audit')}
      </Title>
      <p className={classes.text}>{t('text.audit')}</p>
      {block('audit')}

      <Title order={3} mt={22} mb="snug" fz={14.5} fw={650} lh="md">
        {t('heading.listen')}
      </Title>
      <p className={classes.text}>{t('text.listen')}</p>
      {block('listen')}
    </>
  )
}
