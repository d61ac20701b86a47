import { expect, test } from 'vitest'
import type { PortalFile, PortalPreview } from '#contract/key-portal/portal-settings.ts'
import { byLanguage } from '#contract/vocabulary/world/languages.ts'
import { portalColoursOf } from '#domain/key-portal/colours.ts'
import { draftPreview } from './draftPreview.ts'

const texts = (text: string) => ({ ...byLanguage(() => ''), it: text, en: text })
const stored = crypto.randomUUID()
const fileId = crypto.randomUUID()
const saved: PortalPreview = {
  portal: {
    slug: 'duomo',
    name: 'Duomo',
    website: 'https://duomo.example',
    phone: null,
    email: null,
    theme: 0,
    colours: portalColoursOf('#0b5c3b'),
    logo: { url: '/a', width: 10, height: 10 },
    appLogo: null,
    ingredientsUrl: null,
    languages: ['it', 'en'],
    currency: 'EUR',
    timeZone: 'Europe/Rome',
    services: { media: true, recharge: true, ingredients: false },
  },
  logoId: stored,
  appLogoId: null,
  ingredientsId: null,
  contacts: texts('<p>Old</p>'),
  privacy: texts('<p>Old</p>'),
  posts: [],
  isPublished: true,
  isSaved: true,
}
const values = {
  slug: 'duomo',
  name: 'Duomo',
  website: 'https://duomo.example',
  colour: '#0b5c3b',
  theme: 0 as const,
  phone: null,
  email: null,
  contacts: texts('<p>Old</p>'),
  privacy: texts('<p>Old</p>'),
  logoId: stored,
  appLogoId: null,
  ingredientsId: null,
  isPublished: true,
}
const file: PortalFile = {
  id: fileId,
  merchantId: crypto.randomUUID(),
  use: 'logo',
  name: 'a.png',
  type: 'png',
  bytes: 90,
  width: 400,
  height: 120,
}

test('the preview shows name, color, theme, logo, contacts and texts that are not saved', () => {
  const draft = draftPreview(
    saved,
    {
      ...values,
      name: ' Aurora ',
      website: null,
      phone: '+390212345678',
      email: 'a@aurora.example',
      theme: 1,
      colour: '#7a1f2b',
      logoId: fileId,
      ingredientsId: fileId,
      contacts: texts('<p>New</p>'),
      privacy: { ...texts('<p>New</p>'), de: '<p>Neu</p>' },
    },
    [file],
  )
  expect(draft).toMatchObject({
    logoId: fileId,
    contacts: { it: '<p>New</p>' },
    privacy: { de: '<p>Neu</p>' },
    portal: {
      slug: 'duomo',
      name: 'Aurora',
      website: null,
      phone: '+390212345678',
      email: 'a@aurora.example',
      theme: 1,
      colours: portalColoursOf('#7a1f2b'),
      logo: { width: 400, height: 120 },
      languages: ['it', 'en', 'de'],
      services: { media: true, recharge: true, ingredients: true },
    },
  })
})

test('values that are not valid yet do not reach the preview', () => {
  const { portal } = draftPreview(
    saved,
    { ...values, name: ' ', colour: '#7a', website: 'javascript:alert(1)', phone: '12', email: 'a@', logoId: fileId },
    [],
  )
  expect(portal).toMatchObject({
    name: 'Duomo',
    colours: saved.portal.colours,
    website: null,
    phone: null,
    email: null,
  })
  expect(portal.logo).toBeNull()
})

test('scripts in texts do not reach the preview', () => {
  const evil = '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror="x()"><a href="javascript:x()">y</a></p>'
  const { contacts, privacy } = draftPreview(saved, { ...values, contacts: texts(evil), privacy: texts(evil) }, [])
  for (const html of [...Object.values(contacts), ...Object.values(privacy)])
    expect(['', '<p>Hiy</p>', '<p>Hi</p>']).toContain(html)
})
