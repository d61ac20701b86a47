import { sql } from 'kysely'
import { plainText } from '#contract/rules/rich-text.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { when } from '../frame/conditions.ts'
import type { Doors } from '../frame/tenant.ts'
import { recordProviderChange } from '../platform/provider-log.ts'

export interface TroubleshootingRecord {
  code: string
  language: Language
  content: string
  version: number
  updated_at: Date
  updated_by: string
}

const columns = ['code', 'language', 'content', 'version', 'updated_at', 'updated_by'] as const

/** The list of texts without their content; of one code if given. */
export const writtenTexts = (doors: Doors, code?: string) =>
  doors.withSystem(
    'troubleshooting',
    (db) =>
      db
        .selectFrom('troubleshooting_texts')
        .where(when(code, (one) => sql<boolean>`code = ${one}`))
        .select(['code', 'language', 'updated_at', 'updated_by'])
        .select(sql<boolean>`content <> ''`.as('is_written'))
        .execute(),
    'single statement',
  )
export type WrittenText = Awaited<ReturnType<typeof writtenTexts>>[number]

export const findText = (doors: Doors, code: string, language: Language): Promise<TroubleshootingRecord | undefined> =>
  doors.withSystem(
    'troubleshooting',
    (db) =>
      db
        .selectFrom('troubleshooting_texts')
        .where('code', '=', code)
        .where('language', '=', language)
        .select(columns)
        .executeTakeFirst() as Promise<TroubleshootingRecord | undefined>,
    'single statement',
  )

/** The best text for some codes and languages; the language counts before the code. */
export async function bestText(
  doors: Doors,
  codes: readonly string[],
  languages: readonly Language[],
): Promise<TroubleshootingRecord | undefined> {
  const { rows } = await doors.withSystem(
    'troubleshooting',
    (db) =>
      sql<TroubleshootingRecord>`select code, language, content, version, updated_at, updated_by from troubleshooting_texts
        where code = any(${codes}::text[]) and language = any(${languages}::text[]) and content <> ''
        order by array_position(${languages}::text[], language), array_position(${codes}::text[], code) limit 1`.execute(
        db,
      ),
    'single statement',
  )
  return rows[0]
}

/** The log keeps the beginning of a text only: its images are large. */
const loggedLength = 2_000

const loggedText = (language: string, content: string) => ({
  language,
  text: plainText(content).slice(0, loggedLength),
  images: content.split('<img').length - 1,
})

/**
 * Stores a text, unless a user has stored another one since `version` (0: none was ever stored); then it returns undefined. The same text
 * counts as stored.
 */
export async function storeText(
  doors: Doors,
  text: Omit<TroubleshootingRecord, 'version'>,
  version: number,
  user: { id: string; name: string },
): Promise<TroubleshootingRecord | undefined> {
  return doors.withSystem('troubleshooting', async (db) => {
    const before = await db
      .selectFrom('troubleshooting_texts')
      .where('code', '=', text.code)
      .where('language', '=', text.language)
      .select('content')
      .forUpdate()
      .executeTakeFirst()
    const stored =
      version === 0
        ? await db
            .insertInto('troubleshooting_texts')
            .values(text)
            .onConflict((conflict) => conflict.columns(['code', 'language']).doNothing())
            .returning(columns)
            .executeTakeFirst()
        : await db
            .updateTable('troubleshooting_texts')
            .set({ ...text, version: version + 1 })
            .where('code', '=', text.code)
            .where('language', '=', text.language)
            .where('version', '=', version)
            .returning(columns)
            .executeTakeFirst()
    if (stored)
      await recordProviderChange(db, {
        at: text.updated_at,
        user,
        action: 'troubleshootingText.update',
        subjectType: 'troubleshootingText',
        subjectId: text.code,
        before: before && loggedText(text.language, before.content),
        after: loggedText(text.language, text.content),
      })
    const shownText =
      stored ??
      (await db
        .selectFrom('troubleshooting_texts')
        .where('code', '=', text.code)
        .where('language', '=', text.language)
        .where('content', '=', text.content)
        .select(columns)
        .executeTakeFirst())
    return shownText as TroubleshootingRecord | undefined
  })
}
