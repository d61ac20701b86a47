import { Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { mostGroupsListed } from '#contract/merchants/group.ts'
import { contains } from '#domain/frame/folded.ts'
import { useAllGroups, useGroupsFound, useLookAt, useLookedAtGroups } from '#portal/app/groups.tsx'
import type { MenuProps } from './LazyMenu.tsx'
import classes from './menus.module.css'

/** From this many on, groups can be searched. */
const manyGroups = 8

/** Selects groups: all of them first, then each by name. */
export default function GroupMenu({ target, ...popover }: MenuProps) {
  const { t } = useTranslation('shell')
  const groups = useAllGroups()
  const { selectedIds } = useLookedAtGroups()
  const lookAt = useLookAt()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const isMore = (groups?.length ?? 0) >= mostGroupsListed
  const elsewhere = useGroupsFound(search, isMore && search.length >= enoughLetters)
  const here = (groups ?? []).filter(({ name }) => contains(name, text))
  const matches = [
    ...here,
    ...(text.trim() && elsewhere ? elsewhere : []).filter(({ id }) => !here.some((one) => one.id === id)),
  ]
  const turn = (id: string) =>
    void lookAt(selectedIds.includes(id) ? selectedIds.filter((one) => one !== id) : [...selectedIds, id])
  return (
    <Popover {...popover} position="bottom-start" width={280} trapFocus returnFocus>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown p={6} aria-label={t('groups.title')}>
        {groups && groups.length >= manyGroups && (
          <TextInput
            mb={6}
            data-autofocus
            aria-label={t('groups.search')}
            placeholder={t('groups.search')}
            leftSection={<IconSearch size={15} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={340}>
          <Stack gap={0} role="group" aria-label={t('groups.title')}>
            {!text.trim() && (
              <Checkbox
                className={`${classes.check} lights`}
                label={t('groups.all')}
                checked={selectedIds.length === 0}
                onChange={() => selectedIds.length > 0 && void lookAt([])}
              />
            )}
            {matches.map(({ id, name }) => (
              <Checkbox
                key={id}
                className={`${classes.check} lights`}
                label={name}
                checked={selectedIds.includes(id)}
                onChange={() => turn(id)}
              />
            ))}
            {groups && matches.length === 0 && (
              <Text py="sm" px="xs" c="dimmed">
                {t('groups.none')}
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
        {selectedIds.length > 0 && (
          <Button mt={6} fullWidth variant="default" onClick={() => popover.onChange(false)}>
            {t('groups.done')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
