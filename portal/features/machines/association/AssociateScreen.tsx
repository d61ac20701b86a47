import { Box, Button, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { associations, type ExpectedMachine } from '#contract/machines/association.ts'
import { MachineFields } from '#contract/machines/machine.ts'
import { type Client, clients } from '#contract/merchants/client.ts'
import { changedFields } from '#domain/frame/editing.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { GroupSelect } from '#portal/features/merchants/group/GroupSelect.tsx'
import { EndpointSelect } from '#portal/ui/form/choices/EndpointSelect.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { Wizard } from '#portal/ui/page/Wizard.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { sentenceOf } from '../../../app/apiError.ts'
import { placeOfMachine } from '../machine/places.ts'
import classes from './Association.module.css'
import { PinStep } from './PinStep.tsx'
import { SerialStep } from './SerialStep.tsx'
import { useKnownMachine } from './useKnownMachine.ts'
import { useNamedSerial } from './useNamedSerial.ts'
import { aSerial, type Way, ways } from './ways/ways.ts'

const DeveloperLines = lazyPart(() => import('./DeveloperLines.tsx'))
const AgentStep = lazyPart(() => import('./ways/AgentStep.tsx'), ['agent-set-up'])
const FilesStep = lazyPart(() => import('./ways/FilesStep.tsx'), ['agent-set-up'])

const schema = z.strictObject({
  name: MachineFields.name.max(120).nullable(),
  groupId: MachineFields.groupId,
  clientId: MachineFields.clientId,
})
type Fields = z.infer<typeof schema>
const nowhere: Fields = { name: null, groupId: null, clientId: null }
const placeOfExpected = ({ name, groupId, clientId }: ExpectedMachine): Fields => ({ name, groupId, clientId })

/** The step at which an error is corrected. */
const stepOfRefusal: Record<string, 'machine' | 'place'> = {
  MachineAlreadyAssociated: 'machine',
  MachineExpectedElsewhere: 'machine',
  GroupRequired: 'place',
  GroupNotFound: 'place',
  ClientNotFound: 'place',
}

/** Guides a user through the association of a machine: its serial, its details, the PIN, and its arrival. */
export default function AssociateScreen() {
  const { t } = useTranslation('association')
  const merchant = useMerchant()
  const merchants = useMerchants()
  const [merchantChoice, choose] = useState(merchant.isAll ? (merchants[0]?.id ?? merchant.id) : merchant.id)
  const merchantId = merchant.isAll ? merchantChoice : merchant.id
  return (
    <Box maw={720}>
      <ScreenHeader title={t('title')} subtitle={t('guide.subtitle')} />
      {merchant.isAll && (
        <NativeSelect
          maw={340}
          mb="part"
          label={t('merchant')}
          value={merchantChoice}
          onChange={(event) => choose(event.currentTarget.value)}
          data={merchants.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {/* Another merchant has other groups, clients and machines: the wizard restarts. */}
      <Guide key={merchantId} merchantId={merchantId} />
    </Box>
  )
}

/** The machine to associate, its place, and what the server and the machine have answered. */
function useAssociation(merchantId: string) {
  const { t } = useTranslation(['association', 'errors'])
  const go = useGo()
  const step = oneOf(useAddressQuery(), 'step')
  const goTo = (key: string) => void go({ here: { step: key } }, { replace: true })
  const [text, setText] = useState('')
  const [serialError, setSerialError] = useState<string>()
  const [resumed, setResumed] = useState<ExpectedMachine>()
  const [expected, setExpected] = useState<string>()
  const form = useSchemaForm<Fields>(schema, nowhere)
  const expect = useCommand(associations.expectMachine, { isQuiet: true })
  const { serial: meant, isUnknown, isLooking } = useNamedSerial(text)
  const isSerial = meant !== undefined
  const serial = meant ?? text
  const knownMachine = useKnownMachine(merchantId, meant, expected === serial)
  const hasArrived = knownMachine !== undefined && expected === serial

  // A machine that is expected already has its place, also when its serial is typed or scanned.
  const waiting = useQuery({
    ...queryOf(associations.listExpectedMachines, { params: { merchantId }, query: { serial: meant } }),
    enabled: meant !== undefined,
  })
  const [named] = waiting.data ?? []
  useEffect(() => {
    const isOwn = resumed && changedFields(form.getValues(), placeOfExpected(resumed)).length === 0
    if (!waiting.isSuccess || (form.isDirty() && !isOwn)) return
    form.setValues(named ? placeOfExpected(named) : nowhere)
    setResumed(named)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each serial
  }, [meant, named?.serial, waiting.isSuccess])

  const type = (typed: string) => {
    setText(typed)
    setSerialError(undefined)
  }
  const values = form.getValues()
  useKeptInput({
    name: 'association',
    input: useMemo(() => ({ text, values, resumed }), [text, values, resumed]),
    isDirty: text !== '' || form.isDirty(),
    restore: (input) => {
      setText(input.text)
      form.setValues(input.values)
      setResumed(input.resumed)
    },
  })
  const refused = (error: unknown) => {
    const code = error instanceof ApiError ? error.code : ''
    const back = stepOfRefusal[code]
    if (!back) return
    const sentence = sentenceOf((key, values) => t(key, values), error)
    if (back === 'machine') setSerialError(sentence)
    else form.setFieldError(code === 'ClientNotFound' ? 'clientId' : 'groupId', sentence)
    goTo(back)
  }
  const announce = () =>
    expect.mutate(
      { params: { merchantId, serial }, body: form.getValues() },
      { onSuccess: () => setExpected(serial), onError: refused },
    )
  // From here on the machine may arrive, whether or not this page stays open.
  const isWaiting = step === 'pin' && isSerial
  // oxlint-disable-next-line react/exhaustive-deps -- once per visit of the step
  useEffect(() => (isWaiting && !hasArrived ? announce() : undefined), [isWaiting])

  return {
    serial,
    meant,
    isSerial,
    isUnknown,
    isLooking,
    serialError,
    knownMachine,
    hasArrived,
    form,
    resumed,
    failure: expect.error,
    type,
    announce,
    resume: (one: ExpectedMachine) => {
      type(one.serial)
      form.setValues(placeOfExpected(one))
      setResumed(one)
      goTo('place')
    },
    again: () => {
      type('')
      form.setValues(nowhere)
      setResumed(undefined)
      setExpected(undefined)
      expect.reset()
      goTo('machine')
    },
  }
}

type Association = ReturnType<typeof useAssociation>

function Guide({ merchantId }: { merchantId: string }) {
  const { t } = useTranslation('association')
  const go = useGo()
  const association = useAssociation(merchantId)
  const { serial, isSerial, isUnknown, serialError, knownMachine, hasArrived, form } = association
  const { way, chooseWay } = useWay()
  return (
    <>
      <Wizard
        steps={[
          {
            key: 'machine',
            name: t('guide.step.machine'),
            isComplete: isSerial && serialError === undefined && (knownMachine === undefined || hasArrived),
            content: (
              <Stack gap="part">
                <WayChoice way={way} choose={chooseWay} />
                <SerialStep
                  merchantId={merchantId}
                  serial={serial}
                  isSerial={isSerial}
                  isLooking={association.isLooking}
                  knownMachine={hasArrived ? undefined : knownMachine}
                  error={serialError ?? (isUnknown ? t('labelUnknown') : undefined)}
                  type={association.type}
                  resume={association.resume}
                />
                {way !== 'telemetry' && serial === '' && (
                  <Box>
                    <Button
                      variant="default"
                      size="xs"
                      onClick={() => association.type(aSerial(crypto.getRandomValues(new Uint8Array(8))))}
                    >
                      {t('way.serial')}
                    </Button>
                  </Box>
                )}
              </Stack>
            ),
          },
          {
            key: 'place',
            name: t('guide.step.place'),
            isComplete: schema.safeParse(form.getValues()).success,
            content: <PlaceStep merchantId={merchantId} association={association} />,
          },
          {
            key: 'pin',
            name: t(way === 'telemetry' ? 'guide.step.pin' : 'guide.step.connect'),
            isComplete: hasArrived,
            content: (
              <ConnectStep
                way={way}
                merchantId={merchantId}
                serial={serial}
                name={form.getValues().name}
                machine={hasArrived ? knownMachine : undefined}
                failure={association.failure}
                retry={association.announce}
              />
            ),
          },
        ]}
        finish={() => knownMachine && void go(placeOfMachine(knownMachine))}
        finishName={t('open')}
      />
      {hasArrived && (
        <Button variant="subtle" mt="near" onClick={association.again}>
          {t('guide.again')}
        </Button>
      )}
      {way === 'telemetry' && <Developers merchantId={merchantId} serial={association.meant} />}
    </>
  )
}

/** How the machine speaks with the portal, in the address. */
function useWay() {
  const go = useGo()
  const named = oneOf(useAddressQuery(), 'way')
  const way = ways.find((one) => one === named) ?? 'telemetry'
  const chooseWay = (next: Way) =>
    void go({ here: { way: next === 'telemetry' ? undefined : next } }, { replace: true })
  return { way, chooseWay }
}

function WayChoice({ way, choose }: { way: Way; choose: (way: Way) => void }) {
  const { t } = useTranslation('association')
  return (
    <Radio.Group label={t('way.title')} value={way} onChange={(value) => choose(value as Way)}>
      <Stack gap="snug" mt="snug">
        {ways.map((one) => (
          <Radio key={one} value={one} label={t(`way.${one}`)} description={t(`way.${one}Text`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** What to do at the machine or its computer, and whether the machine has arrived. */
function ConnectStep({ way, name, ...props }: ComponentProps<typeof PinStep> & { way: Way; name: string | null }) {
  if (way === 'telemetry') return <PinStep {...props} />
  const waiting = <Text my="part" aria-busy="true" />
  if (way === 'firmware')
    return (
      <Stack gap="part">
        <PinStep {...props} />
        <Part fallback={waiting}>
          <DeveloperLines merchantId={props.merchantId} serial={props.serial} />
        </Part>
      </Stack>
    )
  const Step = way === 'agent' ? AgentStep : FilesStep
  return (
    <Part fallback={waiting}>
      <Step name={name} {...props} />
    </Part>
  )
}

/** The machine's name, group and client. */
function PlaceStep({ merchantId, association }: { merchantId: string; association: Association }) {
  const { t } = useTranslation('association')
  const { form, serial, resumed } = association
  return (
    <Stack gap="part">
      <p className={classes.text}>{t('guide.place', { serial })}</p>
      <TextField form={form} name="name" label={t('name')} placeholder={t('namePrompt')} isNullable maxLength={120} />
      <GroupSelect
        label={t('group')}
        merchantId={merchantId}
        none={t('noGroup')}
        current={optionOf(resumed?.groupId, resumed?.groupName)}
        {...form.getInputProps('groupId')}
        value={form.getValues().groupId}
        choose={(id) => form.setFieldValue('groupId', id)}
      />
      <EndpointSelect<Fields, Client>
        key={resumed?.clientId}
        form={form}
        name="clientId"
        label={t('client')}
        row={clients.listClients}
        input={{ params: { merchantId } }}
        optionOf={({ id, name }) => ({ value: id, label: name })}
        {...initialClientOf(resumed)}
      />
    </Stack>
  )
}

const optionOf = (value: string | null | undefined, label: string | null | undefined) =>
  value ? { value, label: label ?? value } : undefined

const initialClientOf = (resumed: ExpectedMachine | undefined) => {
  const initialOption = optionOf(resumed?.clientId, resumed?.clientName)
  return initialOption && { initialOption }
}

/** Shell commands that repeat by hand what a machine's firmware does. */
function Developers({ merchantId, serial }: { merchantId: string; serial: string | undefined }) {
  const { t } = useTranslation('association')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.developers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('developers')}</summary>
      {isOpen && (
        <Part fallback={<Text my="part" aria-busy="true" />}>
          <DeveloperLines key={serial} merchantId={merchantId} serial={serial} />
        </Part>
      )}
    </details>
  )
}
