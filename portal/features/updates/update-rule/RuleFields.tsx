import {
  ActionIcon,
  Button,
  Flex,
  Input,
  MultiSelect,
  NativeSelect,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machines/machine.ts'
import { clients } from '#contract/merchants/client.ts'
import { groups } from '#contract/merchants/group.ts'
import { cashDatabases } from '#contract/updates/cash-database.ts'
import { firmwares } from '#contract/updates/firmware.ts'
import { type Cohort, defaultCohorts, mostCohorts, type RolloutWindow } from '#contract/updates/rollout-plan.ts'
import { mostChosenClients, mostChosenMachines, type RuleTarget } from '#contract/updates/update-rule.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { queryOf } from '#portal/app/api.ts'
import { FindIds } from '#portal/ui/form/choices/FindSelect.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { NumberInput } from '#portal/ui/form/fields/NumberField.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import classes from './UpdateRule.module.css'

type Values = Record<string, unknown>
const most = 200

const typesOf = (all: readonly (keyof typeof deviceTypeNames)[]) => all.map((one) => deviceTypeNames[one]).join(', ')

/** The firmware that a rule brings. */
export const FirmwareField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => {
  const { t } = useTranslation('remote-command')
  const { data } = useQuery(queryOf(firmwares.listFirmwares, { query: { page: 1, size: most } }))
  const options = (data?.items ?? []).map(({ id, release, peripheral, deviceTypes: types }) => ({
    value: id,
    label: [peripheral && t(`peripheral.${peripheral}`), release, typesOf(types)].filter(Boolean).join(' · '),
  }))
  return <SelectField {...field} isSearchable options={options} isLoading={!data} />
}

/** The cash database that a rule brings. */
export const DatabaseField: DrawField = ({ values: _, merchantId, isNullable: ___, ...field }) => {
  const { t } = useTranslation('remote-command')
  const { data } = useQuery({
    ...queryOf(cashDatabases.listCashDatabases, {
      params: { merchantId: merchantId ?? '' },
      query: { page: 1, size: most },
    }),
    enabled: merchantId !== undefined,
  })
  const options = (data?.items ?? []).map(({ id, name, release, currency, peripheral }) => ({
    value: id,
    label: [peripheral && t(`peripheral.${peripheral}`), name, release, currency].filter(Boolean).join(' · '),
  }))
  return <SelectField {...field} isSearchable options={options} isDisabled={merchantId === undefined} />
}

const kinds = ['groups', 'clients', 'deviceTypes', 'machines'] as const
const emptyOf = {
  groups: { by: 'groups', groupIds: [] },
  clients: { by: 'clients', clientIds: [] },
  deviceTypes: { by: 'deviceTypes', deviceTypes: [] },
  machines: { by: 'machines', posIds: [] },
} satisfies Record<RuleTarget['by'], RuleTarget>
const keyOf = { groups: 'groupIds', clients: 'clientIds', deviceTypes: 'deviceTypes', machines: 'posIds' } as const

const withSerial = ({ name, serial = '' }: { name: string; serial?: string }) =>
  [name, serial].filter(Boolean).join(' · ')
const sources = {
  clients: { row: clients.listClients, by: 'clientIds' },
  machines: { row: machines.listMachines, by: 'ids', labelOf: withSerial },
} as const
const mostOf = { clients: mostChosenClients, machines: mostChosenMachines } as const

function useGroups(by: RuleTarget['by'], merchantId: string | undefined) {
  const { data = [] } = useQuery({
    ...queryOf(groups.listGroups, { params: { merchantId: merchantId ?? '' } }),
    enabled: merchantId !== undefined && by === 'groups',
  })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

const typeOptions = deviceTypes.map((value) => ({ value: value as string, label: deviceTypeNames[value] }))

/** Which machines: groups, clients, device types, or chosen ones. */
export const TargetField: DrawField = ({ values: _, merchantId, isNullable: ___, ...props }) => {
  const { t } = useTranslation(['update-rule', 'form', 'ui'])
  const { value, set, leave, input, isFixed } = useField<RuleTarget | null, Values>(props)
  const target = value ?? emptyOf.groups
  const key = keyOf[target.by]
  const selected: Partial<Record<typeof key, readonly string[]>> = target
  const selectedIds = [...(selected[key] ?? [])]
  const ofGroups = useGroups(target.by, merchantId)
  const common = {
    label: t(`update-rule:target.${target.by}`),
    withAsterisk: true,
    required: true,
    error: input.error,
    readOnly: isFixed,
    disabled: merchantId === undefined,
    onBlur: leave,
  }
  const choose = (ids: string[]) => set({ by: target.by, [key]: ids } as RuleTarget)
  return (
    <>
      <NativeSelect
        {...input}
        error={undefined}
        disabled={isFixed}
        data={kinds.map((kind) => ({ value: kind, label: t(`update-rule:target.${kind}`) }))}
        value={target.by}
        onChange={({ currentTarget }) => set(emptyOf[currentTarget.value as RuleTarget['by']])}
      />
      {target.by === 'clients' || target.by === 'machines' ? (
        <FindIds
          key={`${target.by} ${merchantId}`}
          {...common}
          {...sources[target.by]}
          merchantId={merchantId}
          most={mostOf[target.by]}
          ids={selectedIds}
          choose={choose}
        />
      ) : (
        <MultiSelect
          {...common}
          data={target.by === 'groups' ? ofGroups : typeOptions}
          value={selectedIds}
          onChange={choose}
          searchable={!isFixed}
          limit={100}
          hidePickedOptions
          placeholder={selectedIds.length === 0 ? t('form:field.choose') : undefined}
          nothingFoundMessage={t('ui:found.none')}
        />
      )}
    </>
  )
}

/** The versions that are updated; none: all. */
export const VersionsField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('update-rule')
  const { value, set, leave, input, isFixed } = useField<string[], Values>(props)
  return (
    <TagsInput
      {...input}
      description={t('hint.fromVersions')}
      readOnly={isFixed}
      value={value}
      onChange={set}
      onBlur={leave}
      placeholder={value.length === 0 ? t('anyVersion') : undefined}
    />
  )
}

const night: RolloutWindow = { from: '02:00', to: '05:00' }

/** When machines install, by their own clock, or at any time. */
export const WindowField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('update-rule')
  const { value, set, leave, input, isFixed } = useField<RolloutWindow | null, Values>(props)
  const time = (name: 'from' | 'to') =>
    value && (
      <TextInput
        type="time"
        label={t(`window.${name}`)}
        disabled={isFixed}
        value={value[name]}
        onChange={({ currentTarget }) => set({ ...value, [name]: currentTarget.value.slice(0, 5) })}
        onBlur={leave}
      />
    )
  return (
    <Stack gap="sm" className="whole">
      <Switch
        label={t('window.anyTime')}
        disabled={isFixed}
        checked={value === null}
        onChange={({ currentTarget }) => set(currentTarget.checked ? null : night)}
      />
      {value && (
        <Flex gap="sm" wrap="wrap" align="flex-end">
          {time('from')}
          {time('to')}
          {value.to < value.from && (
            <Text span c="faint" fz="xs">
              {t('window.nextDay')}
            </Text>
          )}
        </Flex>
      )}
      <Text c="faint" fz="xs">
        {t('hint.window')}
      </Text>
      {input.error && <Input.Error>{input.error}</Input.Error>}
    </Stack>
  )
}

/** The cohorts before all machines, each larger than the one before. */
export const CohortsField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('update-rule')
  const { value, set, leave, input, isFixed } = useField<Cohort[], Values>(props)
  const all = value.length > 0 ? value : [...defaultCohorts]
  const before = all.slice(0, -1)
  const last = all.at(-1) as Cohort
  const change = (at: number, some: Partial<Cohort>) =>
    set(all.map((cohort, index) => (index === at ? ({ ...cohort, ...some } as Cohort) : cohort)))
  return (
    <Stack gap="sm" className="whole">
      <Stack component="ol" gap="near">
        {before.map((cohort, index) => (
          // A cohort is identified by its position alone.
          <li key={index} className={classes.cohortRow}>
            <NumberInput
              aria-label={t('cohort.size', { number: index + 1 })}
              disabled={isFixed}
              min={1}
              value={cohort.size}
              set={(size) => change(index, { size: size as number })}
              leave={leave}
            />
            <NativeSelect
              aria-label={t('cohort.unit', { number: index + 1 })}
              disabled={isFixed}
              data={(['machines', 'percent'] as const).map((by) => ({ value: by, label: t(`cohort.by.${by}`) }))}
              value={cohort.by}
              onChange={({ currentTarget }) => change(index, { by: currentTarget.value as Cohort['by'] })}
            />
            <ActionIcon
              variant="subtle"
              aria-label={t('cohort.remove', { number: index + 1 })}
              disabled={isFixed}
              onClick={() => set([...before.filter((__, at) => at !== index), last])}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
        <li className={classes.cohortRow}>
          <strong>{t('cohort.all')}</strong>
        </li>
      </Stack>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={isFixed || all.length >= mostCohorts}
          onClick={() => set([...before, { by: 'percent', size: Math.min(99, (before.at(-1)?.size ?? 1) * 2) }, last])}
        >
          {t('cohort.add')}
        </Button>
      </div>
      <Text c="faint" fz="xs">
        {t('hint.cohorts')}
      </Text>
      {input.error && <Input.Error>{input.error}</Input.Error>}
    </Stack>
  )
}
