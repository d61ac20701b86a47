import { ActionIcon, Button, Flex, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconArrowRight, IconScan, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { associations, type ExpectedMachine } from '#contract/machines/association.ts'
import type { MachineRow } from '#contract/machines/machine.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfMachine } from '../machine/places.ts'
import classes from './Association.module.css'
import { canScan } from './camera.ts'

const SerialScanner = lazyPart(() => import('./SerialScanner.tsx'))

interface Props {
  merchantId: string
  serial: string
  isSerial: boolean
  /** The machine of a label is being looked up. */
  isLooking: boolean
  /** The machine that already has this serial. */
  knownMachine: MachineRow | undefined
  error: string | undefined
  type: (serial: string) => void
  /** Continues with an expected machine. */
  resume: (expected: ExpectedMachine) => void
}

/** The machine: its serial, scanned or typed, or an expected machine. */
export function SerialStep({ merchantId, serial, isSerial, isLooking, knownMachine, error, type, resume }: Props) {
  const { t } = useTranslation('association')
  const [isScanning, setScanning] = useState(false)
  const [isLeft, setLeft] = useState(false)
  const broken = isLeft && serial !== '' && !isSerial && !isLooking ? t('serialRule') : undefined
  return (
    <Stack gap="part">
      <p className={classes.text}>{t('guide.serial')}</p>
      <Flex gap="xs" wrap="wrap" align="flex-end" className={classes.serial}>
        <TextInput
          label={t('serial')}
          value={serial}
          // A label's address is longer than a serial.
          maxLength={300}
          autoCapitalize="characters"
          autoComplete="off"
          aria-busy={isLooking || undefined}
          spellCheck={false}
          error={error ?? broken}
          onChange={(event) => type(event.currentTarget.value.trim())}
          onBlur={() => setLeft(true)}
        />
        {canScan() && (
          <Button variant="default" leftSection={<IconScan size={17} aria-hidden />} onClick={() => setScanning(true)}>
            {t('scan.act')}
          </Button>
        )}
      </Flex>
      {knownMachine && (
        <p className={classes.note} role="status">
          {t('guide.known')}{' '}
          <PlaceLink place={placeOfMachine(knownMachine)} className={classes.link}>
            {knownMachine.name}
          </PlaceLink>
        </p>
      )}
      <ExpectedMachines merchantId={merchantId} resume={resume} />
      {isScanning && (
        <Part failed={(again) => <PartFailure again={again} close={() => setScanning(false)} />}>
          <SerialScanner
            close={() => setScanning(false)}
            onCode={(read) => {
              setScanning(false)
              type(read)
            }}
          />
        </Part>
      )}
    </Stack>
  )
}

/** Machines whose association has started but not ended. */
function ExpectedMachines({ merchantId, resume }: Pick<Props, 'merchantId' | 'resume'>) {
  const { t } = useTranslation('association')
  const { data = [] } = useQuery(queryOf(associations.listExpectedMachines, { params: { merchantId } }))
  const forget = useCommand(associations.forgetExpectedMachine)
  if (data.length === 0) return null
  return (
    <section className={classes.expected} aria-labelledby="expected-machines">
      <Title id="expected-machines" order={3} mt={22} mb="snug" fz={14.5} fw={650} lh="md">
        {t('guide.expected')}
      </Title>
      <ul>
        {data.map((one) => (
          <li key={one.serial}>
            <Flex
              type="button"
              component="button"
              rowGap="hair"
              columnGap="xs"
              wrap="wrap"
              align="center"
              flex="1"
              miw={0}
              mih={44}
              py="snug"
              className={classes.resume}
              onClick={() => resume(one)}
            >
              <Text span fw={600} className="breaks">
                {one.serial}
              </Text>
              <Text span c="dimmed" fz="sm">
                {[one.name, one.groupName, one.clientName].filter(Boolean).join(' · ')}
              </Text>
              <IconArrowRight size={16} aria-hidden />
            </Flex>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={40}
              aria-label={t('guide.forget', { serial: one.serial })}
              onClick={() => forget.mutate({ params: { merchantId, serial: one.serial } })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  )
}
