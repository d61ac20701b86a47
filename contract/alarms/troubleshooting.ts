import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { cleanRichText } from '../rules/rich-text.ts'
import { AlarmCategory, AlarmCriticity, AlarmSource } from '../vocabulary/alarm.ts'
import { alarmCodePattern } from '../vocabulary/alarm-code.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** The code of an alarm from a machine or the portal. A selection after `_` does not change its text. */
export const AlarmCode = z.string().regex(alarmCodePattern)

/** An alarm code as all machines have it, and the languages that have a troubleshooting text. */
export const MasterAlarm = z.strictObject({
  /** Without a selection. */
  code: z.string(),
  source: AlarmSource,
  category: AlarmCategory,
  criticity: AlarmCriticity,
  languages: z.array(Language),
  /** When the latest text was written; null without a text. Only the provider's users see its author. */
  updatedAt: Instant.nullable(),
  updatedBy: z.string().nullable(),
})
export type MasterAlarm = z.infer<typeof MasterAlarm>

export const MasterAlarmFilters = z.strictObject({
  /** A code's beginning, or a part of its name in any language. */
  search: Search.optional(),
  sources: oneOrMany(AlarmSource),
  categories: oneOrMany(AlarmCategory),
  criticities: oneOrMany(z.coerce.number().pipe(AlarmCriticity)),
  /** Whether there is a text in any language. */
  isWritten: Flag.optional(),
  /** Codes without a text in one of these languages. */
  missingIn: oneOrMany(Language),
})
export type MasterAlarmFilters = z.infer<typeof MasterAlarmFilters>

export const masterAlarmColumns = {
  code: {
    facts: {
      alarm: { kind: 'text', heading: 'troubleshooting:column.alarm' },
      code: { kind: 'text', heading: 'alarm:fact.code' },
    },
  },
  criticity: { kind: 'status', heading: 'troubleshooting:column.criticity', of: 'alarmCriticity' },
  source: { kind: 'word', heading: 'troubleshooting:column.source', of: 'alarmSource' },
  category: { kind: 'word', heading: 'troubleshooting:column.category', of: 'alarmCategory' },
  languages: { kind: 'words', heading: 'troubleshooting:column.languages', of: 'language' },
  updatedAt: { kind: 'instant', heading: 'troubleshooting:column.updated' },
  /** Files omit the authors. */
  updatedBy: { kind: 'text', heading: 'troubleshooting:column.updatedBy', only: 'screen' },
} as const satisfies ListColumns

export const masterAlarmOrds = ordsOf(masterAlarmColumns, 'code')

/** The text in one language; `content` is empty and `version` 0 without one. */
export const TroubleshootingText = z.strictObject({
  code: z.string(),
  language: Language,
  content: z.string(),
  version: z.int(),
  updatedAt: Instant.nullable(),
  updatedBy: z.string().nullable(),
})
export type TroubleshootingText = z.infer<typeof TroubleshootingText>

/** The troubleshooting text of an alarm in the reader's language, or the next best. */
export const RepairGuide = z.strictObject({
  /** The code itself, or a code with the same meaning. */
  code: z.string(),
  language: Language,
  content: z.string(),
})
export type RepairGuide = z.infer<typeof RepairGuide>

/** The handler checks the length, with an error code of its own. */
const Content = Text.refine((html) => cleanRichText(html) === html, saying('richText'))

export const masterAlarms = {
  listMasterAlarms: endpoint({
    method: 'GET',
    path: '/master-alarms',
    summary: 'List alarm codes with the languages of their troubleshooting texts',
    needs: 'alarm.read',
    query: MasterAlarmFilters.extend(paged(masterAlarmOrds)),
    ok: pageOf(MasterAlarm),
  }),
  getMasterAlarm: endpoint({
    method: 'GET',
    path: '/master-alarms/{code}',
    summary: 'Get an alarm code, including codes of a manufacturer',
    needs: 'alarm.read',
    params: { code: AlarmCode },
    ok: MasterAlarm,
  }),
  getRepairGuide: endpoint({
    method: 'GET',
    path: '/master-alarms/{code}/repair-guide',
    summary: 'Get the troubleshooting text of an alarm in the best available language; null if there is none',
    needs: 'alarm.read',
    feature: 'advancedAlarms',
    params: { code: AlarmCode },
    query: z.strictObject({ language: Language }),
    ok: RepairGuide.nullable(),
  }),
  getTroubleshooting: endpoint({
    method: 'GET',
    path: '/master-alarms/{code}/troubleshooting/{language}',
    summary: 'Get the troubleshooting text of an alarm code in one language',
    needs: 'troubleshooting.write',
    params: { code: AlarmCode, language: Language },
    ok: TroubleshootingText,
  }),
  updateTroubleshooting: endpoint({
    method: 'PUT',
    path: '/master-alarms/{code}/troubleshooting/{language}',
    summary: 'Save the troubleshooting text of an alarm code in one language; an empty text removes it',
    needs: 'troubleshooting.write',
    params: { code: AlarmCode, language: Language },
    body: z.strictObject({ content: Content, version: z.union([z.literal(0), Version]) }),
    ok: TroubleshootingText,
    fails: ['TroubleshootingContentExceedsSizeLimits', 'EditConflict'],
    tooLarge: 'TroubleshootingContentExceedsSizeLimits',
  }),
}

/** Files omit the authors of the texts. */
export const exportedMasterAlarms = {
  row: masterAlarms.listMasterAlarms,
  filters: MasterAlarmFilters,
  ords: masterAlarmOrds,
  columns: masterAlarmColumns,
} as const satisfies ExportedList
