import { Flex, Text } from '@mantine/core'
import type { ChangeLogEntry } from '#contract/platform/change-log.ts'
import type { ProviderChange } from '#contract/platform/provider-log.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import type { Place } from '#portal/app/place.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { useSettingWords } from '#portal/features/alarms/alarm-setting/useSettingWords.ts'
import { useCommandName } from '#portal/features/commands/remote-command/commandNames.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { useChangeWords } from './useChangeWords.ts'

/** A merchant's change may concern an alarm or a command, and its machine. */
type Entry = ProviderChange & Partial<Pick<ChangeLogEntry, 'alarmCode' | 'commandType' | 'posName' | 'posId'>>
/** The subject of the change; a deleted machine is shown by its last name. */
const subjectFacts = ({ alarmCode, commandType, posName, posId, before, after }: Entry) => {
  const had = after?.posName ?? before?.posName
  return { alarmCode, commandType, posName: posName ?? (posId && typeof had === 'string' ? had : undefined) }
}

const isOfCode = new Set(['alarmSetting', 'troubleshootingText'])

/** The changed record, by its kind and name, with a link if it has a page. */
export function Subject({ entry, place }: { entry: Entry; place: Place | undefined }) {
  const { subjectName } = useChangeWords()
  const { nameOf } = useSettingWords()
  const alarmName = useAlarmName()
  const commandName = useCommandName()
  const { alarmCode, commandType, posName } = subjectFacts(entry)
  const kind = [subjectName(entry.subjectType), posName].filter(Boolean).join(' · ')
  const text = isOfCode.has(entry.subjectType)
    ? nameOf(entry.subjectId || anyCode)
    : alarmCode
      ? alarmName(alarmCode)
      : commandType !== null && commandType !== undefined
        ? commandName(commandType)
        : namedIn(entry)
  return (
    <Flex component="span" rowGap="hair" columnGap="near" wrap="wrap" display="inline-flex">
      {place ? <PlaceLink place={place}>{text ?? kind}</PlaceLink> : <span>{text ?? kind}</span>}
      {text && (
        <Text span c="dimmed">
          {kind}
        </Text>
      )}
    </Flex>
  )
}

/** The current name of a subject, or its last one. */
export function namedIn({ subjectName, before, after }: ProviderChange): string | undefined {
  const had = [after, before].map((facts) => facts?.name ?? facts?.code ?? facts?.serial)
  const name = subjectName ?? had.find((one) => typeof one === 'string')
  return typeof name === 'string' ? name : undefined
}
