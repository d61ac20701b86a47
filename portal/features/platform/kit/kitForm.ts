import { z } from 'zod'
import { always, saying } from '#contract/frame/broken.ts'
import { type FileFacts, fileRules } from '#contract/frame/file-rules.ts'
import { postalCodeBy } from '#contract/rules/postal-code.ts'
import { rules } from '#contract/rules/rules.ts'
import { vatCodeBy } from '#contract/rules/vat-code.ts'
import { Country } from '#contract/vocabulary/world/countries.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import type { Period } from '#domain/time/period.ts'
import type { ChosenFile } from '#portal/ui/form/fields/FileField.tsx'

/** A form with one field of each kind, each under the contract's own rule. */
export const KitForm = z
  .object({
    text: rules.textBetween(2, 200),
    longText: z.string().max(500),
    number: rules.numberBetween(0, 100),
    money: rules.refundBelow(10_000_000, 'EUR'),
    day: rules.Day,
    period: rules.DayRange,
    moment: rules.InstantInput,
    machine: z.uuid(),
    languages: z.array(Language).min(1),
    receives: z.boolean(),
    file: rules.ingredients,
    image: rules.logo,
    content: rules.RichText.min(1),
    address: rules.requiredText(200),
    zipCode: z.string().min(1).max(20),
    city: rules.requiredText(100),
    province: rules.requiredText(100),
    country: Country,
    vatCode: z.string().min(1),
    phone: rules.Phone,
    website: rules.WebAddress,
    password: rules.Password,
    repeated: z.string().min(1),
  })
  .check(postalCodeBy('zipCode', 'country'))
  .check(vatCodeBy('vatCode', 'country'))
  .refine(({ password, repeated }) => repeated === '' || password === repeated, {
    ...saying('passwordMatch'),
    path: ['repeated'],
    ...always,
  })

/** The form's values: a typed field keeps invalid text as typed. */
export interface KitValues extends Record<string, unknown> {
  text: string
  longText: string
  number: number | string | null
  money: number | string | null
  day: string | null
  period: Period | null
  moment: string | null
  machine: string | null
  languages: string[]
  receives: boolean
  file: ChosenFile | null
  image: ChosenFile | null
  content: string
  address: string
  zipCode: string
  city: string
  province: string
  country: string
  vatCode: string | null
  phone: string | null
  website: string | null
  password: string
  repeated: string
}

export const emptyValues: KitValues = {
  text: '',
  longText: '',
  number: null,
  money: null,
  day: null,
  period: null,
  moment: null,
  machine: null,
  languages: [],
  receives: false,
  file: null,
  image: null,
  content: '',
  address: '',
  zipCode: '',
  city: '',
  province: '',
  country: 'IT',
  vatCode: null,
  phone: null,
  website: null,
  password: '',
  repeated: '',
}

const aFile = (name: string, bytes: string, facts: FileFacts): ChosenFile => ({
  name,
  file: new File([bytes], name),
  ...facts,
})

export const filledValues: KitValues = {
  text: 'Caffè Aurora',
  longText: 'Beside the lift, first floor.',
  number: 45.5,
  money: 123_456,
  day: '2026-11-21',
  period: { startDate: '2026-11-01', endDate: '2026-11-21' },
  moment: '2026-11-21T13:30:00.000',
  machine: '0193fe10-0000-7000-8000-000000000001',
  languages: ['it', 'en'],
  receives: true,
  file: aFile('ingredients.pdf', '%PDF-1.7', { kind: 'pdf', bytes: 48_200 }),
  image: null,
  content: '<h2>News</h2><p>The <strong>new</strong> machine:</p><ul><li><p>quiet</p></li><li><p>quick</p></li></ul>',
  address: 'Piazza dei Cinquecento 1',
  zipCode: '00185',
  city: 'Roma',
  province: 'Roma',
  country: 'IT',
  vatCode: '00743110157',
  phone: '+390669821234',
  website: 'https://gettone.test',
  password: 'Gettone-demo-1',
  repeated: 'Gettone-demo-1',
}

export const wrongValues: KitValues = {
  ...emptyValues,
  text: 'x',
  longText: 'x'.repeat(501),
  number: 101,
  money: 'two',
  day: '2026-02-30',
  period: { startDate: '2026-11-21', endDate: '2026-11-01' },
  moment: 'noon',
  file: aFile('menu.pdf', '<html>', { kind: 'html', bytes: 900 }),
  image: aFile('logo.png', '', { kind: 'png', bytes: fileRules.logo.maxBytes, width: 8000, height: 5000 }),
  zipCode: '0018',
  vatCode: '00743110158',
  phone: '12',
  website: 'javascript:alert(1)',
  password: 'gettone',
  repeated: 'Gettone',
}
