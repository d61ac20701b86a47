import { ActionIcon, Group, MultiSelect, Select, Stack, Switch, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/frame/shapes.ts'
import type { Membership, UserDetails, UserForm } from '#contract/people/user-edit.ts'
import { isOfGroups } from '#contract/vocabulary/roles.ts'
import { runsMerchants } from '#domain/people/user-edit.ts'
import { useMerchants } from '#portal/app/merchant.tsx'
import { groupsShownAtOnce, useGroupChoices } from '#portal/features/merchants/group/useGroupChoices.ts'
import type { SchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import fieldClasses from '../../../ui/form/fields/Fields.module.css'
import type { Option } from '../../../ui/value/option.ts'
import classes from './User.module.css'
import { begun } from './userForm.ts'

interface Props {
  form: SchemaForm<UserForm>
  /** Groups are chosen for group roles only: other users see all groups of a merchant. */
  hidesGroups: boolean
  isFixed: boolean
  /** The saved user, for names that are missing in the reader's lists. */
  savedUser?: UserDetails | undefined
}

/** The merchants of a user, each with all groups or chosen groups. */
export function MembershipsField({ form, hidesGroups, isFixed, savedUser }: Props) {
  const { t } = useTranslation('user')
  const id = useId()
  const merchants = useMerchants()
  const { merchants: value, role } = form.getValues()
  const set = (next: Membership[]) => {
    form.setFieldValue('merchants', next)
    form.clearFieldError('merchants')
  }
  const knownAt = (merchantId: string) => savedUser?.merchants.find((one) => one.merchantId === merchantId)
  const nameOf = (merchantId: string) =>
    merchants.find((one) => one.id === merchantId)?.name ?? knownAt(merchantId)?.merchantName ?? merchantId
  const isWhole = runsMerchants(role)
  const free = merchants.filter((one) => !value.some(({ merchantId }) => merchantId === one.id))
  const error = form.errors.merchants
  return (
    <Stack gap="md" maw={520} role="group" aria-describedby={error ? id : undefined} aria-label={t('column.merchants')}>
      {isWhole && <Text c="dimmed">{t('form.wholeMerchants')}</Text>}
      {value.map((membership) => (
        <MerchantRow
          key={membership.merchantId}
          membership={membership}
          name={nameOf(membership.merchantId)}
          knownGroups={knownAt(membership.merchantId)?.groups ?? []}
          hidesGroups={isWhole || (hidesGroups && !isOfGroups(role))}
          offersAll={!isOfGroups(role)}
          isFixed={isFixed}
          lacksGroup={Boolean(error) && membership.groupIds.length === 0}
          change={(next) => set(value.map((one) => (one.merchantId === next.merchantId ? next : one)))}
          remove={() => set(value.filter((one) => one !== membership))}
        />
      ))}
      {!isFixed && free.length > 0 && (
        <Select
          label={t('form.addMerchant')}
          searchable
          limit={100}
          data={free.map((one) => ({ value: one.id, label: one.name }))}
          value={null}
          error={Boolean(error) && value.length === 0}
          onChange={(merchantId) => merchantId && set([...value, begun({ merchantId, groupIds: [] }, role)])}
        />
      )}
      {error && (
        <Text id={id} c="crit" fz="fine">
          {error}
        </Text>
      )}
    </Stack>
  )
}

interface RowProps {
  membership: Membership
  name: string
  /** The user's current groups, with their names. */
  knownGroups: UserDetails['merchants'][number]['groups']
  hidesGroups: boolean
  offersAll: boolean
  isFixed: boolean
  lacksGroup: boolean
  change: (next: Membership) => void
  remove: () => void
}

function MerchantRow({ hidesGroups, offersAll, ...props }: RowProps) {
  const { t } = useTranslation('user')
  const { membership, name, isFixed, change, remove } = props
  const { merchantId } = membership
  const allGroups = membership.allGroups && offersAll
  return (
    <Stack gap="near" pb="part" className={classes.membership}>
      <Group gap="near" wrap="nowrap" justify="space-between" miw={0} className="breaks">
        <strong>{name}</strong>
        {!isFixed && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('form.removeMerchant', { name })}
            title={t('form.removeMerchant', { name })}
            onClick={remove}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {!hidesGroups && (
        <>
          {offersAll && (
            <Switch
              label={t('form.allGroupsOf', { name })}
              description={t('form.allGroupsText')}
              checked={allGroups}
              disabled={isFixed}
              onChange={(event) => change({ merchantId, allGroups: event.currentTarget.checked, groupIds: [] })}
            />
          )}
          {!allGroups && <SomeGroups {...props} />}
        </>
      )}
    </Stack>
  )
}

/**
 * The groups that a user sees of a merchant. Groups beyond the listed ones are found by two letters of their names.
 */
function SomeGroups({
  membership,
  name,
  knownGroups,
  isFixed,
  lacksGroup,
  change,
}: Omit<RowProps, 'hidesGroups' | 'offersAll'>) {
  const { t } = useTranslation('user')
  const { merchantId, groupIds } = membership
  const [selectedOptions, setSelectedOptions] = useState<Option[]>([])
  const named = [...knownGroups.map((group) => ({ value: group.id, label: group.name })), ...selectedOptions]
  const { options, optionOf, areAllListed, text, setText } = useGroupChoices(merchantId, named, true)
  const isShort = text.trim().length < enoughLetters
  const nothing = !areAllListed && isShort ? t('ui:filter.letters', { count: enoughLetters }) : t('ui:filter.none')
  return (
    <MultiSelect
      label={t('form.groupsOf', { name })}
      placeholder={groupIds.length === 0 ? t('form.chooseGroups') : ''}
      data={options}
      value={groupIds}
      disabled={isFixed}
      error={lacksGroup}
      searchable
      limit={groupsShownAtOnce}
      searchValue={text}
      onSearchChange={setText}
      hidePickedOptions
      classNames={{ input: fieldClasses.pills, pill: fieldClasses.pill }}
      nothingFoundMessage={areAllListed && text.trim() === '' ? t('form.noGroups') : nothing}
      onChange={(next) => {
        setSelectedOptions(next.flatMap((id) => optionOf(id) ?? []))
        change({ merchantId, allGroups: false, groupIds: next })
      }}
    />
  )
}
