import {
  type MasterAlarm,
  type MasterAlarmFilters,
  type masterAlarmOrds,
  type masterAlarms as rows,
  TroubleshootingText,
} from '#contract/alarms/troubleshooting.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import { longestRichText } from '#contract/rules/rich-text.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import {
  bestText,
  findText,
  storeText,
  type TroubleshootingRecord,
  type WrittenText,
  writtenTexts,
} from '#database/alarms/troubleshooting.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'
import { type AlarmKind, codesOfGuide, kindOf, languagesFor, masterAlarms } from '#domain/alarms/troubleshooting.ts'
import { folded, isFoundIn } from '#domain/frame/folded.ts'
import { imageFault } from '#domain/frame/rich-text-images.ts'
import type { Handlers } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseFault } from '#server/http/refuse.ts'
import type { Principal } from '#server/http/scope.ts'
import { pageIn, sortedBy } from '#server/http/short-list.ts'
import { wireOf } from '#server/http/wire.ts'
import { wordsIn } from '#server/words/words.ts'

/** Provider users write these texts; merchants do not see their names. */
function presentMasterAlarm(
  kind: AlarmKind,
  texts: readonly WrittenText[],
  reader: Pick<Principal, 'role'>,
): MasterAlarm {
  const [last] = texts.toSorted((one, other) => other.updated_at.getTime() - one.updated_at.getTime())
  const isWritten = (language: Language) => texts.some((text) => text.language === language && text.is_written)
  return {
    ...kind,
    languages: languages.filter(isWritten),
    updatedAt: toWireOrNull(last?.updated_at ?? null),
    updatedBy: seesInvisible(reader) ? (last?.updated_by ?? null) : null,
  }
}

const presentText = (text: TroubleshootingRecord): TroubleshootingText => wireOf(TroubleshootingText, text)

const unwritten = (code: string, language: Language): TroubleshootingText => ({
  code,
  language,
  content: '',
  version: 0,
  updatedAt: null,
  updatedBy: null,
})

/** Whether a code starts with the text, or its name contains it in any language. */
function isNamed(code: string, search: string): boolean {
  const { name } = describeAlarm(code)
  return (
    folded(code).startsWith(folded(search)) ||
    (name !== null && languages.some((language) => isFoundIn(wordsIn(language, 'machine-event')(name), search)))
  )
}

const isAmong = <T>(allowed: readonly T[] | undefined, value: T) => !allowed?.length || allowed.includes(value)

const matches = (alarm: MasterAlarm, filters: MasterAlarmFilters) =>
  isAmong(filters.sources, alarm.source) &&
  isAmong(filters.categories, alarm.category) &&
  isAmong(filters.criticities, alarm.criticity) &&
  (filters.isWritten === undefined || filters.isWritten === alarm.languages.length > 0) &&
  (!filters.missingIn?.length || filters.missingIn.some((language) => !alarm.languages.includes(language))) &&
  (filters.search === undefined || isNamed(alarm.code, filters.search))

/** The matching codes in order, with what the reader may see. There are a few hundred, so they are filtered and sorted here. */
export async function masterAlarmsMatching(
  doors: Doors,
  query: MasterAlarmFilters & Sorted<(typeof masterAlarmOrds)[number]>,
  reader: Pick<Principal, 'role'>,
): Promise<MasterAlarm[]> {
  const texts = Map.groupBy(await writtenTexts(doors), ({ code }) => code)
  const knownCodes = new Set(masterAlarms.map(({ code }) => code))
  const others = [...texts.keys()].filter((code) => !knownCodes.has(code)).map(kindOf)
  const matching = [...masterAlarms, ...others]
    .map((kind) => presentMasterAlarm(kind, texts.get(kind.code) ?? [], reader))
    .filter((alarm) => matches(alarm, query))
  const { ord = 'code' } = query
  const byCode = sortedBy(matching, ({ code }) => code, {})
  return sortedBy(byCode, (alarm) => (ord === 'languages' ? alarm.languages.length : alarm[ord]), query)
}

export const masterAlarmHandlers: Handlers<typeof rows> = {
  listMasterAlarms: async ({ doors, query, user }) => {
    const matching = await masterAlarmsMatching(doors, query, user)
    return pageIn(matching, query)
  },

  getMasterAlarm: async ({ doors, params, user }) => {
    const kind = kindOf(params.code)
    return presentMasterAlarm(kind, await writtenTexts(doors, kind.code), user)
  },

  getRepairGuide: async ({ doors, params, query, config }) => {
    const languages = languagesFor(query.language, config.DEFAULT_LANGUAGE)
    const text = await bestText(doors, codesOfGuide(params.code), languages)
    return text ? { code: text.code, language: text.language, content: text.content } : null
  },

  getTroubleshooting: async ({ doors, params }) => {
    const { code } = kindOf(params.code)
    const language = params.language as Language
    const text = await findText(doors, code, language)
    return text ? presentText(text) : unwritten(code, language)
  },

  updateTroubleshooting: async ({ doors, params, body, user, now }) => {
    const { code } = kindOf(params.code)
    const language = params.language as Language
    refuseImages(body.content)
    const text = { code, language, content: body.content, updated_at: now, updated_by: user.name }
    const stored = await storeText(doors, text, body.version, user)
    if (!stored) {
      const stored = await findText(doors, code, language)
      const current = stored ? presentText(stored) : unwritten(code, language)
      throw new ProductError('EditConflict', { current, changedAt: current.updatedAt, changedBy: current.updatedBy })
    }
    return presentText(stored)
  },
}

/** A text or image that is too large gets a request for smaller images. A file that is not an image is an invalid value. */
function refuseImages(content: string): void {
  if (content.length > longestRichText) throw new ProductError('TroubleshootingContentExceedsSizeLimits')
  const fault = imageFault(content)
  if (!fault) return
  const isTooLarge = ['rule.fileSize', 'rule.imageSize', 'rule.imagePixels'].includes(fault.key)
  if (isTooLarge) throw new ProductError('TroubleshootingContentExceedsSizeLimits')
  refuseFault('content', fault)
}
