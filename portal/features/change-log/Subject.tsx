import type { ChangeLogEntry } from '#contract/change-log.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { useSettingWords } from '../alarm-setting/useSettingWords.ts'
import classes from './ChangeLog.module.css'
import { subjectPlace } from './subjectPlace.ts'
import { useChangeWords } from './useChangeWords.ts'

/** What was changed, by its kind and name, and the way there where there is one. */
export function Subject({ entry }: { entry: ChangeLogEntry }) {
  const { subjectName } = useChangeWords()
  const { nameOf } = useSettingWords()
  const place = subjectPlace(entry)
  const kind = subjectName(entry.subjectType)
  const said = entry.subjectType === 'alarmSetting' ? nameOf(entry.subjectId || anyCode) : namedIn(entry)
  return (
    <span className={classes.subject}>
      {place ? <PlaceLink place={place}>{said ?? kind}</PlaceLink> : <span>{said ?? kind}</span>}
      {said && <span className={classes.who}>{kind}</span>}
    </span>
  )
}

/** The name of a subject now, or the one that it had. */
export function namedIn({ subjectName, before, after }: ChangeLogEntry): string | undefined {
  const had = [after, before].map((facts) => facts?.name ?? facts?.code ?? facts?.serial)
  const name = subjectName ?? had.find((one) => typeof one === 'string')
  return typeof name === 'string' ? name : undefined
}
