import type { ProviderChange } from '#contract/provider-log.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import type { Place } from '../../ui/list/types.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { useSettingWords } from '../alarm-setting/useSettingWords.ts'
import classes from './ChangeLog.module.css'
import { useChangeWords } from './useChangeWords.ts'

const isOfCode = new Set(['alarmSetting', 'troubleshootingText'])

/** What was changed, by its kind and name, and the way there where there is one. */
export function Subject({ entry, place }: { entry: ProviderChange; place: Place | undefined }) {
  const { subjectName } = useChangeWords()
  const { nameOf } = useSettingWords()
  const kind = subjectName(entry.subjectType)
  const said = isOfCode.has(entry.subjectType) ? nameOf(entry.subjectId || anyCode) : namedIn(entry)
  return (
    <span className={classes.subject}>
      {place ? <PlaceLink place={place}>{said ?? kind}</PlaceLink> : <span>{said ?? kind}</span>}
      {said && <span className={classes.who}>{kind}</span>}
    </span>
  )
}

/** The name of a subject now, or the one that it had. */
export function namedIn({ subjectName, before, after }: ProviderChange): string | undefined {
  const had = [after, before].map((facts) => facts?.name ?? facts?.code ?? facts?.serial)
  const name = subjectName ?? had.find((one) => typeof one === 'string')
  return typeof name === 'string' ? name : undefined
}
