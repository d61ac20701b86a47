import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AlarmDetails, AlarmRemedy } from '#contract/alarms/alarm.ts'
import { useOpenPanel } from '#portal/app/panel.ts'
import { useCommandName } from '#portal/features/commands/remote-command/commandNames.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { alarmKey } from './alarmFilters.ts'

/** What helped the last time that this alarm ended: on this machine, or on another one of its model. */
export function LastRemedy({ alarm: { remedy, timeZone } }: { alarm: AlarmDetails }) {
  const { t } = useTranslation('alarm')
  if (!remedy) return null
  return (
    <DrawerPart name={t('remedy.title')}>
      <Stack gap="tight">
        <Steps remedy={remedy} timeZone={timeZone} />
        <Text c="dimmed" fz="fine">
          {remedy.isOfMachine ? t('remedy.here') : t('remedy.there', { machine: remedy.posName })},{' '}
          <When at={remedy.repairedAt} as="minute" timeZone={timeZone} /> · <Whole remedy={remedy} />
        </Text>
      </Stack>
    </DrawerPart>
  )
}

function Steps({ remedy, timeZone }: { remedy: AlarmRemedy; timeZone: string }) {
  const { t } = useTranslation(['alarm', 'ui'])
  const nameOf = useCommandName()
  const { command, comment, isByHand, repairedBy, repairNote } = remedy
  const provider = t('ui:provider')
  return (
    <>
      {command && (
        <Text fw={600}>
          {t('alarm:remedy.command', { command: nameOf(command.type), name: command.by ?? provider })}{' '}
          <When at={command.executedAt} as="minute" timeZone={timeZone} />
        </Text>
      )}
      {comment && (
        <Text className="breaks">
          “{comment.text}” – {comment.by ?? provider}
        </Text>
      )}
      {isByHand ? (
        <Text className="breaks">
          {t('alarm:remedy.byHand', { name: repairedBy ?? provider })}
          {repairNote && <>: “{repairNote}”</>}
        </Text>
      ) : (
        <Text>{t('alarm:remedy.byItself')}</Text>
      )}
    </>
  )
}

/** Opens that alarm in full. */
function Whole({ remedy: { posId, alarmId } }: { remedy: AlarmRemedy }) {
  const { t } = useTranslation('alarm')
  const open = useOpenPanel()
  return (
    <Text
      component="button"
      type="button"
      c="gold"
      fz="fine"
      fw={550}
      onClick={() => open({ kind: 'alarm', id: alarmKey({ posId, id: alarmId }) })}
    >
      {t('remedy.show')}
    </Text>
  )
}
