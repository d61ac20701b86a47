import { Box, Button, Flex, MultiSelect, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ScreenConfiguration,
  type ScreenSent,
  screenConfigurations,
} from '#contract/configurations/screen-configuration.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { machines } from '#contract/machines/machine.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { sentenceOf } from '../../../app/apiError.ts'
import classes from './Screen.module.css'

const shownAtOnce = 50

interface Props {
  screen: ScreenConfiguration
  close: () => void
}

/** Sends the saved version to chosen machines, and names refused machines. */
export default function SendDialog({ screen, close }: Props) {
  const { t } = useTranslation('screen-configuration')
  const [sent, setSent] = useState<ScreenSent>()
  return (
    <Dialog onClose={close} title={t('send.title', { name: screen.name })} size="lg">
      <Stack gap="md">
        {sent ? <Outcome sent={sent} close={close} /> : <MachinesForm screen={screen} close={close} onSent={setSent} />}
      </Stack>
    </Dialog>
  )
}

/** The machines to send to, found by two letters of their names. */
function useMachineOptions(merchantId: string) {
  const [text, setText] = useState('')
  const [posIds, setPosIds] = useState<string[]>([])
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [search] = useDebouncedValue(text.trim(), 250)
  const query = { ...(search.length >= enoughLetters && { search }), ord: 'name' as const, size: shownAtOnce }
  const { data } = useQuery({
    ...queryOf(machines.listMachines, { params: { merchantId }, query }),
    placeholderData: keepPreviousData,
  })
  const matches = (data?.items ?? []).map(({ id, name, serial }) => ({ value: id, label: `${name} (${serial})` }))
  const selectedOptions = posIds
    .filter((id) => !matches.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: names.get(id) ?? id }))
  return {
    text,
    setText,
    posIds,
    options: [...selectedOptions, ...matches],
    choose: (next: string[]) => {
      setNames(new Map([...names, ...matches.map(({ value, label }) => [value, label] as const)]))
      setPosIds(next)
    },
  }
}

function MachinesForm({ screen, close, onSent }: Props & { onSent: (sent: ScreenSent | undefined) => void }) {
  const { t } = useTranslation(['screen-configuration', 'errors', 'ui'])
  const format = useFormat()
  const client = useQueryClient()
  const { id: screenConfigurationId, merchantId, version } = screen
  const { text, setText, posIds, options, choose } = useMachineOptions(merchantId)
  const send = useCommand(screenConfigurations.sendScreenConfiguration, { isQuiet: true })
  const act = async () => {
    const body = { version, machines: { ids: posIds } }
    onSent(await send.mutateAsync({ params: { merchantId, screenConfigurationId }, body }).catch(() => undefined))
    await client.invalidateQueries()
  }
  return (
    <>
      <Text c="dimmed" fz="fine">
        {t('screen-configuration:send.text', { number: format.number(version) })}
      </Text>
      <MultiSelect
        label={t('screen-configuration:send.machines')}
        data={options}
        value={posIds}
        searchable
        searchValue={text}
        onSearchChange={setText}
        hidePickedOptions
        onChange={choose}
        maxDropdownHeight={240}
      />
      {send.error && (
        <Text c="crit" fz="fine" role="alert">
          {sentenceOf((key, values) => t(key, values), send.error)}
        </Text>
      )}
      <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
        <Button disabled={posIds.length === 0} loading={send.isPending} onClick={() => void act()}>
          {t('screen-configuration:send.confirm', { count: posIds.length, number: format.number(posIds.length) })}
        </Button>
        <Button variant="default" onClick={close}>
          {t('ui:cancel')}
        </Button>
      </Flex>
    </>
  )
}

/** How many machines it was sent to, and which refused it. */
function Outcome({ sent, close }: { sent: ScreenSent; close: () => void }) {
  const { t } = useTranslation(['screen-configuration', 'errors', 'ui'])
  const format = useFormat()
  return (
    <>
      <Text my="part" role="status">
        {t('screen-configuration:send.done', { count: sent.sent, number: format.number(sent.sent) })}
      </Text>
      {sent.refused.length > 0 && (
        <div role="alert">
          <Text c="crit" fz="fine">
            {t('screen-configuration:send.refused', {
              count: sent.refused.length,
              number: format.number(sent.refused.length),
            })}
          </Text>
          <Box component="ul" mah={200} mt="tight" pl="lg" fz="fine" className={classes.list}>
            {sent.refused.map(({ posId, posName, code }) => (
              <li key={posId}>
                {posName}: {t(`errors:${code}`)}
              </li>
            ))}
          </Box>
          {sent.refused.some(({ code }) => code === 'ScreenNotEnrolled') && (
            <Text my="part">
              <PlaceLink place={{ to: '/manage/screen-configuration-whitelist/create' }}>
                {t('screen-configuration:send.whitelist')}
              </PlaceLink>
            </Text>
          )}
        </div>
      )}
      <div>
        <Button variant="default" onClick={close}>
          {t('ui:close')}
        </Button>
      </div>
    </>
  )
}
