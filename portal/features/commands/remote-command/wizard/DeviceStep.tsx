import { Box, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostSelected } from '#contract/frame/selection.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { pagedQueryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { GroupSelect } from '#portal/features/merchants/group/GroupSelect.tsx'
import { useGroupOptions } from '#portal/features/merchants/group/useGroupOptions.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import common from '../CommandText.module.css'
import { MachineChips } from '../MachineChips.tsx'
import { mostMachines } from './commandOrder.ts'
import classes from './DeviceStep.module.css'
import step from './Step.module.css'
import type { MachineSelection } from './useMachineSelection.ts'

const sizes = [20, 60, 200, 500]

/** The first step: the machines. Machines named in the address are chips; the list to choose from opens on request. */
export function DeviceStep({ machineSelection }: { machineSelection: MachineSelection }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const [isPicking, setPicking] = useState(!machineSelection.isFromAddress)
  const isShown = isPicking || machineSelection.isUnknown
  return (
    <Stack gap="part">
      <p className={common.intro}>{t('device.intro')}</p>
      <MachineChips machineSelection={machineSelection} />
      {machineSelection.isTooMany && (
        <Note tone="warn" bdrs="inner" role="alert">
          {t('device.most', { number: format.number(mostMachines) })}
        </Note>
      )}
      {machineSelection.isUnknown && (
        <Note tone="warn" bdrs="inner" role="alert">
          {t('device.unknown')}
        </Note>
      )}
      {isShown ? (
        <Picker machineSelection={machineSelection} />
      ) : (
        <Button
          variant="default"
          className={step.more}
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setPicking(true)}
        >
          {t('device.add')}
        </Button>
      )}
    </Stack>
  )
}

function Picker({ machineSelection }: { machineSelection: MachineSelection }) {
  const { t } = useTranslation(['remote-command', 'ui'])
  const format = useFormat()
  const merchant = useMerchant()
  const [text, setText] = useState('')
  const [searchText] = useDebouncedValue(text.trim(), 250)
  const [sizeAt, setSizeAt] = useState(0)
  const groups = useGroupOptions()
  const [group, setGroup] = useState<string | null>(null)
  const search = searchText.length >= enoughLetters ? searchText : undefined
  const filters = { ...(search && { search }), ...(group && { groupIds: [group] }) }
  const { data, error, refetch, isPlaceholderData } = useQuery(
    pagedQueryOf(machines.listMachines, {
      params: { merchantId: merchant.id },
      query: { ...filters, size: sizes[sizeAt], ord: 'name', ordType: 'ASC' },
    }),
  )
  const count = machineSelection.machines.length
  const isFull = !machineSelection.isMatching && count >= mostSelected
  const canChooseAll = data && data.total > 1 && data.total <= mostMachines
  const isShort = text.trim().length > 0 && text.trim().length < enoughLetters
  return (
    <Stack gap="part">
      <Group gap="near" className={step.tools}>
        <TextInput
          type="search"
          flex="1 1 260px"
          maw={420}
          aria-label={t('device.search')}
          placeholder={t('device.search')}
          maxLength={100}
          leftSection={<IconSearch size={15} aria-hidden />}
          description={isShort ? t('ui:filter.letters', { count: enoughLetters }) : undefined}
          inputWrapperOrder={['input', 'description']}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setSizeAt(0)
          }}
        />
        {groups.length > 1 && (
          <GroupSelect
            aria-label={t('device.group')}
            merchantId={merchant.id}
            none={t('device.allGroups')}
            value={group}
            choose={(id) => {
              setGroup(id)
              setSizeAt(0)
            }}
          />
        )}
        {canChooseAll && (
          <Button variant="subtle" onClick={() => machineSelection.chooseMatching(filters)}>
            {t('device.all', { count: data.total, number: format.number(data.total) })}
          </Button>
        )}
      </Group>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <ul className={classes.machines} aria-label={t('device.list')} data-stale={isPlaceholderData}>
          {!data &&
            Array.from({ length: 6 }, (_, index) => (
              // Bars without identity.
              <Box key={index} component="li" h={22} m="part" bdrs={5} bg="var(--sunken)" aria-hidden />
            ))}
          {data?.items.map((machine) => (
            <MachineChoice
              key={machine.id}
              machine={machine}
              isChosen={machineSelection.byId.has(machine.id)}
              isDisabled={isFull && !machineSelection.byId.has(machine.id)}
              set={(isChosen) => machineSelection.set([machine], isChosen)}
            />
          ))}
          {data?.items.length === 0 && (
            <Box component="li" p="lg" c="dimmed" ta="center">
              {t('device.nothing')}
            </Box>
          )}
        </ul>
      )}
      {data && data.items.length < data.total && sizeAt < sizes.length - 1 && (
        <Button variant="default" className={step.more} onClick={() => setSizeAt(sizeAt + 1)}>
          {t('device.more')}
        </Button>
      )}
      {isFull && (
        <Text my="1em" c="dimmed" fz="fine" lh="fine">
          {t('device.most', { number: format.number(mostSelected) })}
        </Text>
      )}
    </Stack>
  )
}

function MachineChoice({
  machine,
  isChosen,
  isDisabled,
  set,
}: {
  machine: MachineRow
  isChosen: boolean
  isDisabled: boolean
  set: (isChosen: boolean) => void
}) {
  const merchant = useMerchant()
  const { name, serial, groupName, merchantName, state } = machine
  return (
    <li className={`${classes.machine} ruled`} data-chosen={isChosen}>
      <Checkbox
        size="sm"
        checked={isChosen}
        disabled={isDisabled}
        onChange={(event) => set(event.currentTarget.checked)}
        classNames={{ root: classes.check, body: classes.checkBody, labelWrapper: step.checkLabel }}
        label={
          <Group component="span" gap="sm" wrap="nowrap" justify="space-between" className="breaks">
            <Stack component="span" gap={0} align="flex-start" miw={0}>
              <span className={common.strong}>{name}</span>
              <span className={common.fine}>
                {[serial, groupName, merchant.isAll && merchantName].filter(Boolean).join(' · ')}
              </span>
            </Stack>
            <StatusBadge of={machineStateLooks} value={state} />
          </Group>
        }
      />
    </li>
  )
}
