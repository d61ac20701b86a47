import { type Language, languageNames } from '#contract/vocabulary/world/languages.ts'
import { quoted } from '#database/frame/export/column.ts'
import type { UserRecord } from '#database/people/user-list.ts'
import { mayLicense } from '#domain/people/user-edit.ts'
import { speechOf } from '#server/export/speech.ts'
import { wordsIn } from '#server/words/words.ts'

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\uFEFF'

/**
 * Puts an apostrophe before a text that could start a formula, even after spaces and quotes: `spreadsheet_text` of the
 * database.
 */
export const spreadsheetText = (text: string): string =>
  /^[\s'"]*[-=+@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text

/** Users as lines in UTC, in the reader's language. RFC 4180, lines end with LF. */
export async function* userFile(
  batches: AsyncIterable<readonly UserRecord[]>,
  language: Language,
  isProviders: boolean,
): AsyncGenerator<Buffer> {
  const { separator, flags } = speechOf(language, [])
  const t = wordsIn(language, 'user')
  const shell = wordsIn(language, 'shell')
  // This order of day, month and year is unambiguous in spreadsheets of all countries.
  const at = (instant: Date | null) => instant?.toISOString().slice(0, 16).replace('T', ' ') ?? ''
  const flag = (isOn: boolean) => (isOn ? flags.yes : flags.no)
  const named = (names: readonly string[], count: number) =>
    names.join('; ') + (count > names.length ? `; +${count - names.length}` : '')
  const columns: [heading: string, of: (user: UserRecord) => string][] = [
    [t('column.email'), ({ email }) => email],
    [t('column.name'), ({ name }) => name],
    [t('column.role'), ({ role }) => shell(`roles.${role}`)],
    [t('column.status'), ({ status }) => t(`status.${status}`)],
    [t('column.language'), (user) => (user.language ? languageNames[user.language as Language] : '')],
    [t('column.merchants'), (user) => named(user.merchants, user.merchant_count)],
    [t('column.groups'), (user) => (user.has_all_groups ? t('allGroups') : named(user.groups, user.group_count))],
    [t('option.receiveNotifications'), (user) => flag(user.receive_notifications)],
    [t('option.allowLicensing'), (user) => flag(mayLicense(user.role, user.allow_licensing))],
    ...(isProviders
      ? ([[t('option.invisibleToMerchants'), (user) => flag(user.invisible_to_merchants)]] satisfies [
          string,
          (user: UserRecord) => string,
        ][])
      : []),
    [`${t('column.lastSeenAt')} (UTC)`, (user) => at(user.last_seen_at)],
    [`${t('column.createdAt')} (UTC)`, (user) => at(user.created_at)],
    ['ID', ({ id }) => id],
  ]
  const line = (cells: readonly string[]) => `${cells.map((cell) => quoted(spreadsheetText(cell))).join(separator)}\n`
  yield Buffer.from(byteOrderMark + line(columns.map(([heading]) => heading)))
  for await (const users of batches)
    yield Buffer.from(users.map((user) => line(columns.map(([, of]) => of(user)))).join(''))
}
