import type { IncomingMessage } from 'node:http'
import { renderSVG } from 'uqr'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Factor } from '#database/people/second-factor.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { type Html, html, raw } from '../../html/html.ts'
import { type Words, wordsIn } from '../../words/words.ts'
import { field, note, page } from '../page.ts'
import { longestFactorName, mostFactors } from './factors.ts'

const home = '/'
const securityPath = '/identity/security'
const profilePath = '/settings/profile'

/** What a browser needs for a passkey, as JSON. */
type PasskeyOptions = object | undefined

/** A form that asks the browser for a passkey; hidden where it has none. */
export function passkeyForm(
  words: Words,
  options: object,
  look: { label: string; isQuiet?: boolean; makes?: boolean; fields?: Html },
): Html {
  return html`<form method="post" data-passkey="${JSON.stringify(options)}"${look.makes && raw(' data-makes="yes"')} hidden novalidate>
    ${look.fields}
    <input type="hidden" name="passkey" value="">
    <button class="button${look.isQuiet && ' quiet'}" type="submit">${look.label}</button>
    <p class="wrong" role="alert" hidden>${words('passkey.wrong')}</p>
  </form>`
}

const or = (words: Words): Html => html`<p class="lead with-passkey" hidden>${words('or')}</p>`

interface CodeState {
  fault?: 'wrong' | 'used' | 'tooMany' | 'passkey' | undefined
  /** The field takes a recovery code. */
  isRecovery?: boolean
}

const faultNote = (words: Words, fault: CodeState['fault']) =>
  fault && note('crit', fault === 'passkey' ? words('passkey.wrong') : words(`code.${fault}`))

/** The form for a code, and the link between the two kinds of codes. */
function codeForm(language: Language, words: Words, hasApp: boolean, { isRecovery }: CodeState): Html {
  const takesRecovery = isRecovery || !hasApp
  return html`<form method="post" novalidate>
    ${
      takesRecovery
        ? field(language, {
            name: 'code',
            label: words('code.recovery'),
            type: 'text',
            autocomplete: 'off',
            isFirst: true,
            longest: 40,
          })
        : field(language, {
            name: 'code',
            label: words('code.app'),
            type: 'text',
            autocomplete: 'one-time-code',
            keyboard: 'numeric',
            isFirst: true,
            longest: 10,
          })
    }
    <button class="button" type="submit">${words('code.button')}</button>
  </form>
  ${hasApp && html`<p class="below"><a href="${takesRecovery ? '?with=app' : '?with=recovery'}">${words(takesRecovery ? 'code.withApp' : 'code.withRecovery')}</a></p>`}`
}

interface ProofState extends CodeState {
  email: string
  hasApp: boolean
  passkey: PasskeyOptions
  /** Users without a factor confirm a change with their password. */
  password?: { isWrong?: boolean }
}

/** Proves a factor: the second step of a sign-in, or before a change of factors. */
function proofPage(language: Language, kind: 'second' | 'confirm', state: ProofState): string {
  const words = wordsIn(language, 'second-factor')
  const { email, hasApp, passkey, password, fault } = state
  const passwordForm =
    password &&
    html`<form method="post" novalidate>
      <input type="hidden" name="username" autocomplete="username" value="${email}">
      ${field(language, { name: 'password', label: words('confirm.password'), type: 'password', autocomplete: 'current-password', isFirst: true, error: password.isWrong ? words('confirm.wrongPassword') : undefined })}
      <button class="button" type="submit">${words('code.button')}</button>
    </form>`
  const main = html`<h1>${words(`${kind}.title`)}</h1><p class="lead">${words(`${kind}.lead`, { email })}</p>
    ${faultNote(words, fault)}
    ${passkey && passkeyForm(words, passkey, { label: words('passkey.use') })}
    ${passkey && or(words)}
    ${passwordForm ?? codeForm(language, words, hasApp, state)}
    <p class="below"><a href="${kind === 'second' ? '/login' : profilePath}">${words(`${kind}.back`)}</a></p>`
  return page({ language, title: words(`${kind}.title`), home, main, hasPasskey: Boolean(passkey) })
}

interface NewFactor {
  name: string
  fault?: 'wrong' | 'passkey' | undefined
  /** Where the page leads back to. */
  back: string
}

const nameField = (language: Language, words: Words, name: string) =>
  field(language, {
    name: 'name',
    label: words('name'),
    type: 'text',
    autocomplete: 'off',
    value: name,
    longest: longestFactorName,
  })

function appPage(language: Language, state: NewFactor & { secret: string; address: string }): string {
  const words = wordsIn(language, 'second-factor')
  // Scanners need dark modules on white, in the dark scheme too.
  const picture = renderSVG(state.address, { ecc: 'M', border: 3 }).replace('<svg ', '<svg width="196" height="196" ')
  const main = html`<h1>${words('app.title')}</h1><p class="lead">${words('app.lead')}</p>
    ${faultNote(words, state.fault)}
    <div class="spaced" role="img" aria-label="${words('app.picture')}">${raw(picture)}</div>
    <p class="rules-title">${words('app.key')} <code id="key">${state.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
    <form method="post" novalidate>
      ${field(language, { name: 'code', label: words('app.code'), type: 'text', autocomplete: 'one-time-code', keyboard: 'numeric', isFirst: true, longest: 10 })}
      ${nameField(language, words, state.name)}
      <button class="button" type="submit">${words('app.button')}</button>
    </form>
    <p class="below"><a href="${state.back}">${words('back')}</a></p>`
  return page({ language, title: words('app.title'), home, main })
}

function newPasskeyPage(language: Language, state: NewFactor & { passkey: PasskeyOptions }): string {
  const words = wordsIn(language, 'second-factor')
  const form =
    state.passkey &&
    passkeyForm(words, state.passkey, {
      label: words('passkey.button'),
      makes: true,
      fields: nameField(language, words, state.name),
    })
  const main = html`<h1>${words('passkey.title')}</h1><p class="lead">${words('passkey.lead')}</p>
    ${faultNote(words, state.fault)}
    ${form ?? note('crit', words('passkey.notHere'))}
    <noscript>${note('crit', words('passkey.notHere'))}</noscript>
    <p class="below"><a href="${state.back}">${words('back')}</a></p>`
  return page({ language, title: words('passkey.title'), home, main, hasPasskey: Boolean(form) })
}

/** The recovery codes, shown once. `done` is the address of the form that continues, or of the page to go back to. */
function codesPage(language: Language, codes: readonly string[], done: { post: string } | { to: string }): string {
  const words = wordsIn(language, 'second-factor')
  const list = codes.map((code) => html`<li>${code}</li>`)
  const goOn =
    'post' in done
      ? html`<form method="post" action="${done.post}"><button class="button" type="submit">${words('codes.goOn')}</button></form>`
      : html`<p class="spaced"><a class="button" href="${done.to}">${words('codes.goOn')}</a></p>`
  const main = html`<h1>${words('codes.title')}</h1><p class="lead">${words('codes.lead')}</p>
    <ol class="codes" id="codes">${list}</ol>
    <p class="spaced"><button class="button quiet" type="button" data-copies="codes" data-copied="${words('codes.copied')}" hidden>${words('codes.copy')}</button></p>
    ${goOn}`
  return page({ language, title: words('codes.title'), home, main })
}

interface SecurityState {
  factors: readonly Factor[]
  codesLeft: number
  /** The host of this page: passkeys of other hosts are named with theirs. */
  host: string
  said?: 'added' | 'renamed' | 'removed' | 'required' | 'badName' | undefined
}

const wellSaid = ['added', 'renamed', 'removed']

function securityPage(language: Language, state: SecurityState): string {
  const words = wordsIn(language, 'second-factor')
  const { factors, codesLeft, said } = state
  const when = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  const rows = factors.map((factor) => {
    const since = words('list.since', { when: when.format(factor.createdAt) })
    const used = factor.lastUsedAt ? words('list.used', { when: when.format(factor.lastUsedAt) }) : words('list.unused')
    const elsewhere = factor.host && factor.host !== state.host ? ` · ${words('list.at', { host: factor.host })}` : ''
    return html`<section class="demo"><h2>${factor.name}</h2>
      <p class="rules-title">${words(`list.${factor.kind}`)}${elsewhere} · ${since} · ${used}</p>
      <details><summary>${words('list.change')}</summary>
        <form method="post" action="${securityPath}/rename" novalidate>
          <input type="hidden" name="id" value="${factor.id}">
          ${field(language, { name: 'name', id: `name-${factor.id}`, label: words('name'), type: 'text', autocomplete: 'off', value: factor.name, longest: longestFactorName })}
          <button class="button quiet" type="submit">${words('list.rename')}</button>
        </form>
        <form method="post" action="${securityPath}/remove">
          <input type="hidden" name="id" value="${factor.id}">
          <button class="button quiet danger" type="submit">${words('list.remove', { name: factor.name })}</button>
        </form>
      </details></section>`
  })
  const mayAdd = factors.length < mostFactors
  const main = html`<h1>${words('list.title')}</h1><p class="lead">${words(factors.length > 0 ? 'list.lead' : 'list.none')}</p>
    ${said && note(wellSaid.includes(said) ? 'ok' : 'crit', words(`said.${said}`))}
    ${rows}
    ${
      mayAdd &&
      html`<div class="below">
      <a class="button${factors.length > 0 && ' quiet'}" href="${securityPath}/app">${words('app.add')}</a>
      <a class="button quiet" href="${securityPath}/passkey">${words('passkey.add')}</a></div>`
    }
    ${
      factors.length > 0 &&
      html`<section class="demo"><h2>${words('codes.part')}</h2>
      <p class="lead">${words('codes.left', { count: codesLeft })}</p>
      <form method="post" action="${securityPath}/codes"><button class="button quiet" type="submit">${words('codes.renew')}</button></form></section>`
    }
    <p class="below"><a href="${profilePath}">${words('confirm.back')}</a></p>`
  return page({ language, title: words('list.title'), home, main })
}

function setUpPage(language: Language, base: string): string {
  const words = wordsIn(language, 'second-factor')
  const main = html`<h1>${words('setUp.title')}</h1><p class="lead">${words('setUp.lead')}</p>
    <div class="below">
      <a class="button" href="${base}/app">${words('app.add')}</a>
      <a class="button quiet" href="${base}/passkey">${words('passkey.add')}</a></div>
    <p class="below"><a href="/login">${words('second.back')}</a></p>`
  return page({ language, title: words('setUp.title'), home, main })
}

/** The pages of second factors, each a whole HTML document in the reader's language. */
export const makeFactorPages = (languageOf: (request: IncomingMessage) => Language) => ({
  prove: (request: IncomingMessage, kind: 'second' | 'confirm', state: ProofState) =>
    proofPage(languageOf(request), kind, state),
  app: (request: IncomingMessage, state: Parameters<typeof appPage>[1]) => appPage(languageOf(request), state),
  passkey: (request: IncomingMessage, state: Parameters<typeof newPasskeyPage>[1]) =>
    newPasskeyPage(languageOf(request), state),
  codes: (request: IncomingMessage, codes: readonly string[], done: { post: string } | { to: string }) =>
    codesPage(languageOf(request), codes, done),
  security: (request: IncomingMessage, state: SecurityState) => securityPage(languageOf(request), state),
  setUp: (request: IncomingMessage, base: string) => setUpPage(languageOf(request), base),
})

export type FactorPages = ReturnType<typeof makeFactorPages>
