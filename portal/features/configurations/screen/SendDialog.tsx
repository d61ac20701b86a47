import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ScreenConfiguration,
  type ScreenSent,
  screenConfigurations,
} from '#contract/configurations/screen-configuration.ts'
import { mostSelected } from '#contract/frame/selection.ts'
import { machines } from '#contract/machines/machine.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { FindMany } from '#portal/ui/form/choices/FindSelect.tsx'
import type { Option } from '#portal/ui/value/option.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { sentenceOf } from '../../../app/apiError.ts'
import classes from './Screen.module.css'

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

function MachinesForm({ screen, close, onSent }: Props & { onSent: (sent: ScreenSent | undefined) => void }) {
  const { t } = useTranslation(['screen-configuration', 'errors', 'ui'])
  const format = useFormat()
  const client = useQueryClient()
  const { id: screenConfigurationId, merchantId, version } = screen
  const [some, setSome] = useState<readonly Option[]>([])
  const posIds = some.map(({ value }) => value)
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
      <FindMany
        row={machines.listMachines}
        merchantId={merchantId}
        label={t('screen-configuration:send.machines')}
        labelOf={({ name, serial }) => `${name} (${serial})`}
        most={mostSelected}
        value={some}
        choose={setSome}
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
