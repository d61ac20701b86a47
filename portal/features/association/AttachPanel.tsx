import { Button, Drawer, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Serial } from '#contract/device-protocol.ts'
import { machines } from '#contract/machine.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant, useMerchantOf, useMerchants } from '../../app/merchant.tsx'
import { CopyId } from '../../ui/CopyId.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { Badge } from '../../ui/StatusBadge.tsx'
import { useIsPhone } from '../../ui/useIsPhone.ts'
import { placeOfMachine } from '../machine/places.ts'
import classes from './AttachPanel.module.css'
import { type AttachStep, attachLines, attachSteps } from './attachLines.ts'
import { CodeBlock } from './CodeBlock.tsx'

/** How often the machine is looked for while somebody attaches it. */
const lookMs = 3_000

/** A version 4 UUID; browsers offer one of their own on TLS alone. */
function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const newIds = () => Object.fromEntries(attachSteps.map((step) => [step, randomId()])) as Record<AttachStep, string>
const newSerial = () =>
  `G9${String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
    .padStart(5, '0')
    .slice(-5)}`

/** What attaches a machine to a merchant: its PIN, and lines ready to be run. */
export default function AttachPanel({ close }: { close: () => void }) {
  const { t } = useTranslation('association')
  const isPhone = useIsPhone()
  const merchant = useMerchant()
  const merchants = useMerchants()
  const [chosen, choose] = useState(merchant.isAll ? (merchants[0]?.id ?? merchant.id) : merchant.id)
  const answer = useQuery(queryOf(machines.getAssociation, { params: { merchantId: chosen } }))
  const info = answer.data
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={isPhone ? '100%' : 'min(760px, 92vw)'}
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('close'), size: isPhone ? 'xl' : 'md' }}
      classNames={{ content: classes.content, header: classes.header, body: classes.body, title: classes.title }}
    >
      <p className={classes.intro}>{t('intro')}</p>
      {merchant.isAll && (
        <NativeSelect
          className={classes.merchant}
          label={t('merchant')}
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value)}
          data={merchants.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {answer.error && !info ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : (
        <>
          <div className={classes.pin}>
            <span className={classes.pinName}>{t('pin')}</span>
            <span className={classes.pinValue}>
              {info ? <CopyId value={info.pin} /> : <span aria-busy="true">········</span>}
            </span>
            <span className={classes.pinNote}>{t('pinNote')}</span>
          </div>
          {info && <Lines info={info} merchantId={chosen} />}
        </>
      )}
    </Drawer>
  )
}

function Lines({ info, merchantId }: { info: Parameters<typeof attachLines>[0]; merchantId: string }) {
  const { t } = useTranslation('association')
  const { timeZone } = useMerchantOf(merchantId)
  const [serial, setSerial] = useState(newSerial)
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
      <h3 className={classes.step}>{t('heading.machine')}</h3>
      <div className={classes.fields}>
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
      </div>

      <h3 className={classes.step}>{t('heading.associate')}</h3>
      <p className={classes.text}>{t('text.associate')}</p>
      {block('associate')}
      {isSerial && <Attached serial={serial.trim()} merchantId={merchantId} />}

      <h3 className={classes.step}>{t('heading.speak')}</h3>
      <p className={classes.text}>{t('text.speak', { host: info.mqttHost, port: info.mqttPort })}</p>
      {block('hello')}
      {block('state')}
      {block('sale')}
      {block('event')}
      {block('eventEnd')}

      <h3 className={classes.step}>{t('heading.audit')}</h3>
      <p className={classes.text}>{t('text.audit')}</p>
      {block('audit')}

      <h3 className={classes.step}>{t('heading.listen')}</h3>
      <p className={classes.text}>{t('text.listen')}</p>
      {block('listen')}
    </>
  )
}

/** Says that the machine has come, as soon as it has. */
function Attached({ serial, merchantId }: { serial: string; merchantId: string }) {
  const { t } = useTranslation('association')
  const query = { search: serial, page: 1, size: 20 }
  const { data } = useQuery({
    ...queryOf(machines.listMachines, { params: { merchantId }, query }),
    refetchInterval: lookMs,
  })
  const machine = data?.items.find((one) => one.serial === serial)
  return (
    <p className={classes.attached} role="status">
      {machine ? (
        <>
          <Badge tone="ok" mark="check">
            {t('attached', { name: machine.name })}
          </Badge>
          <Button<typeof PlaceLink>
            component={PlaceLink}
            place={placeOfMachine(machine)}
            variant="subtle"
            rightSection={<IconArrowRight size={15} aria-hidden />}
          >
            {t('open')}
          </Button>
        </>
      ) : (
        <span className={classes.waiting}>
          <span className={classes.pulse} aria-hidden />
          {t('waiting', { serial })}
        </span>
      )}
    </p>
  )
}
