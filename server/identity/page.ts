import { type PasswordRule, passwordRules } from '#contract/rules/password.ts'
import { type Language, languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { type Html, html, raw } from '../html/html.ts'
import { wordsIn } from '../words/words.ts'
import { assetUrl } from './assets.ts'

const coin = raw(
  '<circle cx="16" cy="16" r="15" fill="#d99a2b"/><circle cx="16" cy="16" r="11.5" fill="none" stroke="#fff8ea" stroke-width="1.6"/>' +
    '<path d="M11.5 11v10M14.5 9v14M17.5 9v14M20.5 11v10" stroke="#fff8ea" stroke-width="1.7" stroke-linecap="round" fill="none"/>',
)
const icon = (path: string) =>
  html`<svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${raw(path)}</svg>`
const icons = {
  crit: icon('<circle cx="12" cy="12" r="9"/><path d="M12 8v4.5M12 16h.01"/>'),
  ok: icon('<circle cx="12" cy="12" r="9"/><path d="m8.5 12.2 2.4 2.4 4.6-4.8"/>'),
}

/** The coin, larger than the picture. */
const show = html`<svg viewBox="0 0 800 900" preserveAspectRatio="xMaxYMin slice" aria-hidden="true" fill="none">
  <g transform="translate(560 250)">
    <circle r="420" stroke="#d99a2b" stroke-opacity=".16"/><circle r="350" stroke="#d99a2b" stroke-opacity=".28"/>
    <circle r="280" fill="#d99a2b"/><circle r="216" stroke="#fff8ea" stroke-width="24"/>
    <path d="M-84 -94V94M-28 -130V130M28 -130V130M84 -94V94" stroke="#fff8ea" stroke-width="28" stroke-linecap="round"/>
  </g></svg>`

export interface Page {
  language: Language
  title: string
  /** The target of the coin's link: the portal. */
  home: string
  main: Html
  look?: 'form' | 'wide'
  /** Whether the page has a form that carries a passkey. */
  hasPasskey?: boolean
  /** Files that the portal needs next: they load while the user types. */
  next?: readonly string[]
}

/** A whole page of the identity provider. Its language links reload the same address. */
export function page({ language, title, home, main, look = 'form', hasPasskey, next = [] }: Page): string {
  const words = wordsIn(language, 'identity')
  const picker = languages.map(
    (one) =>
      html`<li><a href="?language=${one}" lang="${one}" hreflang="${one}"${one === language && raw(' aria-current="true"')}>${languageNames[one]}</a></li>`,
  )
  return html`<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${title} · Gettone</title>
  <link rel="icon" href="${assetUrl('favicon.svg')}" type="image/svg+xml">
  <link rel="preload" href="${assetUrl('inter-latin.woff2')}" as="font" type="font/woff2" crossorigin>
  <link rel="stylesheet" href="${assetUrl('style.css')}">
  <script src="${assetUrl('page.js')}"></script>
  ${hasPasskey && html`<script src="${assetUrl('passkey.js')}"></script>`}
</head>
<body class="${look}"${next.length > 0 && html` data-next="${next.join(' ')}"`}>
  <div class="page${look === 'form' && ' with-show'}">
    <div class="side">
      <header><a class="brand" href="${home}"><svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">${coin}</svg>Gettone</a></header>
      <main>${main}</main>
      <nav aria-label="${words('language')}"><ul class="languages">${picker}</ul></nav>
    </div>
    ${look === 'form' && html`<aside class="show" aria-hidden="true">${show}<p>${words('tagline')}</p></aside>`}
  </div>
</body>
</html>`.text
}

/** A message above a form, announced by screen readers at once. */
export const note = (tone: 'crit' | 'ok', text: string): Html =>
  html`<p class="note ${tone}" role="${tone === 'crit' ? 'alert' : 'status'}">${icons[tone]}<span>${text}</span></p>`

export interface Field {
  name: string
  /** Where a page has several fields of the name. */
  id?: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string
  error?: string | undefined
  /** Shown beside the label, such as a link. */
  aside?: Html
  isFirst?: boolean
  isReadOnly?: boolean
  describedBy?: string
  /** The keyboard of phones. */
  keyboard?: 'numeric' | 'text'
  longest?: number
}

export function field(language: Language, one: Field): Html {
  const words = wordsIn(language, 'identity')
  const id = one.id ?? one.name
  const describedBy = [one.error && `${id}-wrong`, one.describedBy].filter(Boolean).join(' ')
  const attributes = html`${describedBy && html` aria-describedby="${describedBy}"`}${one.error && raw(' aria-invalid="true"')}${one.isFirst && raw(' autofocus')}${one.isReadOnly && raw(' readonly')}${one.keyboard && html` inputmode="${one.keyboard}"`}`
  const input = html`<input id="${id}" name="${one.name}" type="${one.type}" value="${one.value ?? ''}" autocomplete="${one.autocomplete}" spellcheck="false" autocapitalize="none" required maxlength="${one.longest ?? 320}"${attributes}>`
  const reveal = html`<button class="reveal" type="button" hidden aria-controls="${id}" data-show="${words('show')}" data-hide="${words('hide')}">${words('show')}</button>`
  return html`<div class="field">
    <div class="label"><label for="${id}">${one.label}</label>${one.aside}</div>
    <div class="box${one.type === 'password' && ' reveals'}">${input}${one.type === 'password' && reveal}</div>
    ${one.error && html`<p class="wrong" id="${id}-wrong">${one.error}</p>`}
  </div>`
}

/** The rules of a password as a list, the broken ones marked. */
export function ruleList(language: Language, broken: readonly PasswordRule[]): Html {
  const words = wordsIn(language, 'identity')
  const names = Object.keys(passwordRules) as PasswordRule[]
  return html`<div id="rules"><p class="rules-title">${words('rules.title')}</p><ul class="rules">${names.map(
    (rule) => html`<li${broken.includes(rule) && raw(' class="broken"')}>${words(`rules.${rule}`)}</li>`,
  )}</ul></div>`
}
