import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readLanguages } from '../../checks/language.ts'
import { errors } from '../errors.ts'
import { type RuleName, ruleNames } from '../frame/broken.ts'
import { languages } from '../vocabulary/world/languages.ts'
import { kpiIntervalDefault, kpiIntervalLimits } from './number.ts'
import { ruleOf, valueAt } from './rule-of.ts'
import { rules } from './rules.ts'

/*
 * The specification's section 5, line by line: values that pass each rule, and values that break it, with their sentence. A line about
 * an answer of the server names its code; a line about a shortened value names the words that say so.
 */

interface Line {
  rule: z.ZodType
  good: unknown[]
  /** Values that break it, each with its rule. */
  bad: [value: unknown, name: RuleName][]
}

const uuid = '0193fe10-0000-7000-8000-000000000001'
const another = '0193fe10-0000-7000-8000-000000000002'
const thresholds = z.strictObject({ warning: z.number(), critical: z.number() })
const file = (kind: string, bytes: number, width?: number, height?: number) => ({ kind, bytes, width, height })

const lines: Record<string, Line | { code: keyof typeof errors } | { words: [file: string, key: string] }> = {
  'required fields': {
    rule: rules.requiredText(20),
    good: ['a', ' a '],
    bad: [
      ['', 'required'],
      ['  ', 'required'],
      [undefined, 'required'],
      [null, 'required'],
    ],
  },
  'email and password required at sign-in: email': { rule: rules.Email, good: ['a@b.it'], bad: [['', 'required']] },
  'email and password required at sign-in: password': {
    rule: rules.Password,
    good: ['Gettone-1'],
    bad: [['', 'required']],
  },
  'minimum zero': {
    rule: rules.MinimumZero,
    good: [0, 1.5],
    bad: [
      [-0.01, 'minimumZero'],
      ['', 'required'],
      ['x', 'number'],
    ],
  },
  'greater than zero': {
    rule: rules.GreaterThanZero,
    good: [0.01],
    bad: [
      [0, 'greaterThanZero'],
      [-1, 'greaterThanZero'],
    ],
  },
  'maximum {maxValue}, minimum {minValue}': {
    rule: rules.numberBetween(5, 9),
    good: [5, 9, 7.5],
    bad: [
      [4.99, 'minimum'],
      [9.01, 'maximum'],
    ],
  },
  'whole numbers': { rule: rules.wholeBetween(5, 9), good: [5], bad: [[5.5, 'whole']] },
  'smaller than another field': {
    rule: thresholds.check(rules.comparing('warning', 'smallerThan', 'critical')),
    good: [{ warning: 1, critical: 2 }],
    bad: [[{ warning: 2, critical: 2 }, 'smallerThan']],
  },
  'greater than another field': {
    rule: thresholds.check(rules.comparing('critical', 'greaterThan', 'warning')),
    good: [{ warning: 1, critical: 2 }],
    bad: [[{ warning: 2, critical: 2 }, 'greaterThan']],
  },
  'equal or smaller than another field': {
    rule: thresholds.check(rules.comparing('warning', 'smallerOrEqual', 'critical')),
    good: [{ warning: 2, critical: 2 }],
    bad: [[{ warning: 3, critical: 2 }, 'smallerOrEqual']],
  },
  'format of a VAT code': {
    rule: rules.vatCodeIn('IT'),
    good: ['00743110157', 'IT 00743110157'],
    bad: [
      ['00743110158', 'vatCode'],
      ['DE136695976', 'vatCode'],
      ['', 'required'],
    ],
  },
  'format of an email': {
    rule: rules.Email,
    good: ['anna.rossi+x@gettone.test'],
    bad: [
      ['anna', 'email'],
      ['a@b', 'email'],
      ['a b@c.it', 'email'],
    ],
  },
  'format of a firmware build': {
    rule: rules.FirmwareBuild,
    good: ['1042', 'rc.2', 'a-b.c'],
    bad: [
      ['1 2', 'firmwareBuild'],
      ['1..2', 'firmwareBuild'],
      ['x'.repeat(33), 'maxLength'],
      ['', 'required'],
    ],
  },
  'format of a number': { rule: rules.numberBetween(0, 10), good: [1], bad: [['1.2.3', 'number']] },
  'format of a phone': {
    rule: rules.Phone,
    good: ['+390669821234', '+525512345678'],
    bad: [
      ['06 6982 1234', 'phone'],
      ['+39 06 6982 1234', 'phone'],
      ['+39', 'phone'],
      ['abc', 'phone'],
      ['', 'required'],
    ],
  },
  'format of a postal code': {
    rule: rules.postalCodeOf('IT'),
    good: ['00185'],
    bad: [
      ['0018', 'postalCode'],
      ['001855', 'postalCode'],
      ['OO185', 'postalCode'],
      ['', 'required'],
    ],
  },
  'format of a URL': {
    rule: rules.WebAddress,
    good: ['https://gettone.test/a?b=c', 'http://localhost:8080'],
    bad: [
      ['gettone.test', 'url'],
      ['javascript:alert(1)', 'url'],
      ['data:text/html,x', 'url'],
      ['ftp://gettone.test', 'url'],
      ['https://user:secret@gettone.test', 'url'],
      ['https://intranet', 'url'],
      ['', 'required'],
    ],
  },
  'format of a range': {
    rule: rules.NumberRange,
    good: [
      { from: 1, to: 1 },
      { from: null, to: 1 },
    ],
    bad: [[{ from: 2, to: 1 }, 'range']],
  },
  'format of a range of days': {
    rule: rules.DayRange,
    good: [{ startDate: '2026-11-01', endDate: '2026-11-01' }],
    bad: [[{ startDate: '2026-11-02', endDate: '2026-11-01' }, 'range']],
  },
  'format of a day': {
    rule: rules.Day,
    good: ['2028-02-29'],
    bad: [
      ['2026-02-29', 'date'],
      ['21/11/2026', 'date'],
      ['', 'required'],
    ],
  },
  'format of a date and time': {
    rule: rules.InstantInput,
    good: ['2026-11-21T08:00:00'],
    bad: [
      ['2026-11-21T25:00:00', 'instant'],
      ['noon', 'instant'],
      ['', 'required'],
    ],
  },
  'password: at least 8 characters with an uppercase letter, a number and a special character': {
    rule: rules.Password,
    good: ['Gettone-1', 'ÀÈÌòù12!'],
    bad: [
      ['Gett-1', 'passwordLength'],
      ['gettone-1', 'passwordUppercase'],
      ['Gettone-x', 'passwordNumber'],
      ['Gettone12', 'passwordSpecial'],
      [`Aa1!${'x'.repeat(256)}`, 'maxLength'],
    ],
  },
  'the two passwords must match': {
    rule: rules.PasswordTwice,
    good: [{ password: 'Gettone-1', repeated: 'Gettone-1' }],
    bad: [
      [{ password: 'Gettone-1', repeated: 'Gettone-2' }, 'passwordMatch'],
      [{ password: 'Gettone-1', repeated: '' }, 'required'],
    ],
  },
  'device-association PIN must be 8 digits': {
    rule: rules.Pin,
    good: ['00000000'],
    bad: [
      ['1234567', 'pin'],
      ['123456789', 'pin'],
      ['1234567x', 'pin'],
      ['', 'required'],
    ],
  },
  'minimum {minLength} and maximum {maxLength} characters': {
    rule: rules.textBetween(2, 4),
    good: ['ab', 'abcd'],
    bad: [
      ['a', 'minLength'],
      ['abcde', 'maxLength'],
      ['', 'required'],
    ],
  },
  'cloud-to-device message maximum 64 KB': {
    rule: rules.CloudMessage,
    good: ['x'.repeat(65_536), { a: 1 }],
    bad: [
      ['x'.repeat(65_537), 'cloudMessage'],
      ['é'.repeat(32_769), 'cloudMessage'],
      [{ text: 'x'.repeat(65_530) }, 'cloudMessage'],
    ],
  },
  'batch refund maximum {maxSize} media': {
    rule: rules.batchRefundOf(2),
    good: [['a', 'b']],
    bad: [
      [['a', 'b', 'c'], 'batchRefund'],
      [[], 'required'],
    ],
  },
  'refund amount must be below the maximum refund': {
    rule: rules.refundBelow(2000, 'EUR'),
    good: [1999],
    bad: [
      [2000, 'refundMaximum'],
      [0, 'greaterThanZero'],
      [10.5, 'whole'],
    ],
  },
  'a lost-key operation requires a newly registered media': {
    rule: rules.lostKeyOf({ lostMediaId: uuid, registeredMediaIds: [uuid, another] }),
    good: [another],
    bad: [
      [uuid, 'lostKey'],
      ['', 'lostKey'],
    ],
  },
  'blog post needs both Italian and English content': {
    rule: rules.BlogContent,
    good: [{ it: '<p>Ciao</p>', en: '<p>Hi</p>' }],
    bad: [
      [{ it: '<p>Ciao</p>', en: '<p></p>' }, 'blogLanguages'],
      [{ it: '', en: '<p>Hi</p>' }, 'blogLanguages'],
    ],
  },
  'demo licence needs an expiration date': {
    rule: z.looseObject({}).check(rules.demoExpires),
    good: [
      { isDemo: true, demoExpiresOn: '2027-01-01' },
      { isDemo: false, demoExpiresOn: null },
    ],
    bad: [[{ isDemo: true, demoExpiresOn: null }, 'demoExpiration']],
  },
  'a merchant must be selected for a person': {
    rule: z.looseObject({}).check(rules.inAMerchant),
    good: [
      { role: 'groupAdmin', merchants: [{ merchantId: uuid }] },
      { role: 'superAdmin', merchants: [] },
    ],
    bad: [
      [{ role: 'groupAdmin', merchants: [] }, 'merchantRequired'],
      [{ merchants: [] }, 'merchantRequired'],
    ],
  },
  'a merchant must be selected for what is one merchant’s own': { code: 'MerchantNotSelected' },
  'each selected merchant needs a group for a group admin': {
    rule: z.looseObject({}).check(rules.inGroupsOfMerchants),
    good: [{ merchants: [{ groupIds: [another] }, { allGroups: true, groupIds: [] }] }],
    bad: [
      [{ merchants: [{ groupIds: [another] }, { allGroups: false, groupIds: [] }] }, 'groupPerMerchant'],
      [{ role: 'groupAdmin', merchants: [{ allGroups: true, groupIds: [] }] }, 'groupPerMerchant'],
    ],
  },
  'each selected merchant needs a group: the server answers': { code: 'GroupAdminMerchantsValidationException' },
  'searches need at least 3 letters, or the first 2 of a word': {
    rule: rules.Search,
    good: ['ab', 'abc'],
    bad: [
      ['a', 'search'],
      ['  a  ', 'search'],
    ],
  },
  'logo images are jpg or png, max width 500 px and height 200 px': {
    rule: rules.logo,
    good: [file('png', 9000, 500, 200), file('jpg', 9000, 1, 1)],
    bad: [
      [file('png', 9000, 501, 200), 'imageSize'],
      [file('jpg', 9000, 500, 201), 'imageSize'],
      [file('svg', 9000), 'fileKind'],
      [file('png', 9000), 'imageBroken'],
      [file('png', 0), 'fileEmpty'],
      [file('png', 5_000_000, 1, 1), 'fileSize'],
      [file('png', 9000, 8000, 5000), 'imagePixels'],
    ],
  },
  'ingredients file is a PDF': {
    rule: rules.ingredients,
    good: [file('pdf', 9000)],
    bad: [
      [file('png', 9000, 1, 1), 'fileKind'],
      [file('html', 9000), 'fileKind'],
    ],
  },
  'exports limited to {maxResults} results': { words: ['export', 'first'] },
  'unsupported file type is rejected': {
    rule: rules.richTextImage,
    good: [file('png', 9, 1, 1)],
    bad: [
      [file('gif', 9), 'fileKind'],
      [file('unknown', 9), 'fileKind'],
    ],
  },
  'unsupported file type is rejected by the server': { code: 'UnsupportedMediaType' },
  'firmware must exist before a rule is created': {
    rule: rules.firmwareAmong([uuid]),
    good: [uuid],
    bad: [
      [another, 'firmwareMissing'],
      [null, 'firmwareMissing'],
    ],
  },
  'visual-programmer form must be valid before sending': {
    rule: rules.sendableUnder(thresholds),
    good: [{ warning: 1, critical: 2 }],
    bad: [[{ warning: 1 }, 'vpForm']],
  },
  'deleting a product with planogram associations is blocked': { code: 'ProductInPlanograms' },
  'deleting a group with firmware rules is blocked': { code: 'GroupHasFirmwareRules' },
  'features cannot be filtered when "all distributors" is selected': { code: 'FeatureFilterOfAll' },
  'KPI interval: default 30 days, minimum 2, maximum 365': {
    rule: rules.KpiInterval,
    good: [kpiIntervalDefault, 2, 365],
    bad: [
      [1, 'minimum'],
      [366, 'maximum'],
      [2.5, 'whole'],
    ],
  },
  'KPIs of chosen days: from 2 to 365 of them, both ends counted': {
    rule: rules.DayRange.check(rules.daysBetween(kpiIntervalLimits)),
    good: [
      { startDate: '2026-11-21', endDate: '2026-11-22' },
      { startDate: '2025-11-23', endDate: '2026-11-22' },
    ],
    bad: [
      [{ startDate: '2026-11-22', endDate: '2026-11-22' }, 'interval'],
      [{ startDate: '2025-11-22', endDate: '2026-11-22' }, 'interval'],
    ],
  },
  'formatted text of an allow-list': {
    rule: rules.RichText,
    good: ['<p>Hi <strong>you</strong></p>', ''],
    bad: [
      ['<script>x</script>', 'richText'],
      ['<p onclick="x">a</p>', 'richText'],
      [`<p>${'x'.repeat(900_000)}</p>`, 'richTextSize'],
    ],
  },
}

const firstFault = (rule: z.ZodType, value: unknown) => {
  const issue = rule.safeParse(value).error?.issues[0]
  return issue && ruleOf(issue, valueAt(value, issue.path)).key
}

const entries = Object.entries(lines)
const schemas = entries.flatMap(([line, entry]) => ('rule' in entry ? [[line, entry] as const] : []))
const shortened = entries.flatMap(([line, entry]) => ('words' in entry ? [[line, entry.words] as const] : []))
const answers = entries.flatMap(([line, entry]) => ('code' in entry ? [[line, entry.code] as const] : []))

describe('section 5', () => {
  test.each(schemas)('%s', (_, { rule, good, bad }) => {
    for (const value of good) expect([value, firstFault(rule, value)]).toEqual([value, undefined])
    for (const [value, name] of bad) expect([value, firstFault(rule, value)]).toEqual([value, `rule.${name}`])
  })

  test.each(answers)('%s: the server answers', (_, code) => {
    expect(errors[code]).toBeGreaterThanOrEqual(400)
    for (const language of languages) expect(readLanguages().get(language)?.get('errors')?.get(code)).toBeTruthy()
  })

  test.each(shortened)('%s: the screen says', (_, [file, key]) => {
    for (const language of languages) expect(readLanguages().get(language)?.get(file)?.get(key)).toBeTruthy()
  })
})

test('every rule has its sentence in six languages, and no sentence is without a rule', () => {
  const written = readLanguages()
  for (const language of languages) {
    const sentences = [...(written.get(language)?.get('form')?.keys() ?? [])].filter((key) => key.startsWith('rule.'))
    expect(sentences.sort()).toEqual(ruleNames.map((name) => `rule.${name}`).sort())
  }
})

test('a rule across fields is reported beside another broken field, and nothing throws', () => {
  const schema = thresholds.check(rules.comparing('warning', 'smallerThan', 'critical')).and(z.unknown())
  const both = z
    .object({ name: z.string().min(1), warning: z.number(), critical: z.number() })
    .check(rules.comparing('warning', 'smallerThan', 'critical'))
  expect(both.safeParse({ name: '', warning: 3, critical: 2 }).error?.issues).toHaveLength(2)
  for (const value of [null, undefined, 1, 'x', []]) {
    expect(schema.safeParse(value).success).toBe(false)
    expect(rules.PasswordTwice.safeParse(value).success).toBe(false)
  }
})
