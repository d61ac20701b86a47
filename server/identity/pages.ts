import type { IncomingMessage } from 'node:http'
import { brokenPasswordRules, longestPassword, type PasswordRule } from '#contract/rules/password.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { listed } from '#domain/frame/listed.ts'
import { type Html, html, raw } from '../html/html.ts'
import { filesOfFirstScreen } from '../portal/first-files.ts'
import { wordsIn } from '../words/words.ts'
import { field, note, page, ruleList } from './page.ts'
import { passkeyForm } from './second-factor/pages.ts'

/** An account with one-click sign-in in the demo. */
export interface DemoAccount {
  email: string
  password: string
  role: Role
}

export interface PagesDeps {
  demoAccounts: readonly DemoAccount[]
  /** The path of the development mailbox, if there is one. */
  mailboxPath: string | undefined
  languageOf: (request: IncomingMessage) => Language
}

/** Why a new password is refused. */
export type NewPasswordFault = { broken: readonly PasswordRule[] } | 'mismatch' | 'tooLong' | undefined

/** Checks a new password and its repetition. */
export function newPasswordFault(next: string, repeat: string): NewPasswordFault {
  if (next.length > longestPassword) return 'tooLong'
  const broken = brokenPasswordRules(next)
  if (broken.length > 0) return { broken }
  return next === repeat ? undefined : 'mismatch'
}

/** The two fields of a new password with their faults and rules. */
function newPassword(
  language: Language,
  labels: { next: string; repeat: string },
  fault: NewPasswordFault,
  isFirst: boolean,
): Html {
  const words = wordsIn(language, 'identity')
  const broken = typeof fault === 'object' ? fault.broken : []
  const error = broken.length > 0 ? words('rules.weak') : fault === 'tooLong' ? words('rules.tooLong') : undefined
  return html`
    ${field(language, { name: 'next', label: labels.next, type: 'password', autocomplete: 'new-password', error, describedBy: 'rules', isFirst: isFirst || Boolean(error) })}
    ${ruleList(language, broken)}
    ${field(language, { name: 'repeat', label: labels.repeat, type: 'password', autocomplete: 'new-password', error: fault === 'mismatch' ? words('rules.mismatch') : undefined, isFirst: fault === 'mismatch' })}`
}

const home = '/'

export interface SignInState {
  email: string
  fault?: 'bothRequired' | 'wrong' | 'tooMany' | 'passkey'
  /** What the browser needs for a passkey. */
  passkey?: object | undefined
  noEmail?: boolean
  noPassword?: boolean
}

/** The buttons of the demo's accounts. */
function demoSection(language: Language, demoAccounts: readonly DemoAccount[]): Html {
  const words = wordsIn(language, 'identity')
  const people = demoAccounts.map(
    ({ email, password, role }) => html`<form method="post" novalidate>
      <input type="hidden" name="email" value="${email}"><input type="hidden" name="password" value="${password}">
      <button class="button quiet" type="submit">${words('demo.as', { role: words(`roles.${role}`) })}</button></form>`,
  )
  return html`<section class="demo" aria-labelledby="demo"><h2 id="demo"><span class="tag">${words('demo.title')}</span>${words('demo.lead')}</h2><div class="people">${people}</div></section>`
}

function signInPage(language: Language, state: SignInState, demoAccounts: readonly DemoAccount[]): string {
  const words = wordsIn(language, 'identity')
  const missing = state.fault === 'bothRequired'
  const isEmailFirst = missing ? Boolean(state.noEmail) : !state.email
  const main = html`<h1>${words('signIn.title')}</h1><p class="lead">${words('signIn.lead')}</p>
    ${state.fault && note('crit', state.fault === 'passkey' ? wordsIn(language, 'second-factor')('passkey.wrong') : words(`signIn.${state.fault}`))}
    <form method="post" novalidate>
      ${field(language, { name: 'email', label: words('email'), type: 'email', autocomplete: 'username', value: state.email, isFirst: isEmailFirst, error: missing && state.noEmail ? words('required') : undefined })}
      ${field(language, { name: 'password', label: words('password'), type: 'password', autocomplete: 'current-password', isFirst: !isEmailFirst, error: missing && state.noPassword ? words('required') : undefined, aside: html`<a href="/identity/forgot">${words('signIn.forgot')}</a>` })}
      <button class="button" type="submit">${words('signIn.button')}</button>
    </form>
    ${state.passkey && passkeyForm(wordsIn(language, 'second-factor'), state.passkey, { label: wordsIn(language, 'second-factor')('passkey.enter'), isQuiet: true })}
    ${demoAccounts.length > 0 && demoSection(language, demoAccounts)}`
  const next = filesOfFirstScreen(language)
  return page({ language, title: words('signIn.title'), home, main, hasPasskey: Boolean(state.passkey), next })
}

interface PasswordChangeState {
  email: string
  isSignedIn: boolean
  fault?: 'wrong' | 'tooMany' | 'required'
  newFault?: NewPasswordFault
}

function changePasswordPage(language: Language, state: PasswordChangeState): string {
  const words = wordsIn(language, 'identity')
  const wrong = state.isSignedIn ? words('change.wrong') : words('change.wrongEmail')
  const message =
    state.fault === 'tooMany'
      ? words('signIn.tooMany')
      : state.fault === 'wrong' && !state.isSignedIn
        ? wrong
        : undefined
  const currentError =
    state.fault === 'required' ? words('required') : state.fault === 'wrong' && state.isSignedIn ? wrong : undefined
  const main = html`<h1>${words('change.title')}</h1><p class="lead">${words('change.lead')}</p>
    ${message && note('crit', message)}
    <form method="post" novalidate>
      ${field(language, { name: 'email', label: words('email'), type: 'email', autocomplete: 'username', value: state.email, isReadOnly: state.isSignedIn, isFirst: !state.isSignedIn && !state.email })}
      ${field(language, { name: 'current', label: words('change.current'), type: 'password', autocomplete: 'current-password', error: currentError, isFirst: !state.newFault && (state.isSignedIn || Boolean(state.email)) })}
      ${newPassword(language, { next: words('change.next'), repeat: words('change.repeat') }, state.newFault, false)}
      <button class="button" type="submit">${words('change.button')}</button>
    </form>
    <p class="below"><a href="/settings/profile">${words('change.back')}</a></p>`
  return page({ language, title: words('change.title'), home, main })
}

function forgotPage(language: Language, state: { email: string; isInvalid?: boolean }): string {
  const words = wordsIn(language, 'identity')
  const main = html`<h1>${words('forgot.title')}</h1><p class="lead">${words('forgot.lead')}</p>
    <form method="post" novalidate>
      ${field(language, { name: 'email', label: words('email'), type: 'email', autocomplete: 'username', value: state.email, isFirst: true, error: state.isInvalid ? words('forgot.invalid') : undefined })}
      <button class="button" type="submit">${words('forgot.button')}</button>
    </form>
    <p class="below"><a href="/login">${words('forgot.back')}</a></p>`
  return page({ language, title: words('forgot.title'), home, main })
}

interface PasswordChoiceState {
  purpose: 'invitation' | 'reset'
  email: string
  name: string
  role: Role
  /** Of an invitation: the merchants that the user joins. */
  merchants: readonly string[]
  newFault?: NewPasswordFault
}

/** Choosing a password by a link of an invitation or a reset. */
function choosePasswordPage(language: Language, state: PasswordChoiceState): string {
  const words = wordsIn(language, 'identity')
  const title = words(`${state.purpose}.title`, { name: state.name })
  const role = words(`roles.${state.role}`)
  const place =
    state.purpose === 'invitation' &&
    (state.merchants.length > 0
      ? words('invitation.joins', { merchants: listed(state.merchants, language), role })
      : words('invitation.as', { role }))
  const main = html`<h1>${title}</h1>${place && html`<p class="lead">${place}</p>`}
    <p class="lead">${words(`${state.purpose}.lead`, { email: state.email })}</p>
    <form method="post" novalidate>
      <input type="hidden" name="username" autocomplete="username" value="${state.email}">
      ${newPassword(language, { next: words('change.next'), repeat: words('change.repeat') }, state.newFault, !state.newFault)}
      <button class="button" type="submit">${words(`${state.purpose}.button`)}</button>
    </form>`
  return page({ language, title, home, main })
}

/**
 * `form` is the provider's own, with the id `op.logoutForm`. It is submitted automatically when the portal sent the
 * browser here.
 */
function signOutPage(language: Language, form: string, isCertain: boolean): string {
  const words = wordsIn(language, 'identity')
  if (isCertain) {
    const certain = raw(
      form
        .replace('<form ', '<form data-submit ')
        .replace('</form>', '<input type="hidden" name="logout" value="yes"></form>'),
    )
    const main = html`<h1>${words('signOut.doing')}</h1>${certain}
      <noscript><button class="button spaced" type="submit" form="op.logoutForm">${words('signOut.yes')}</button></noscript>`
    return page({ language, title: words('signOut.title'), home, main })
  }
  const main = html`<h1>${words('signOut.ask')}</h1>${raw(form)}
    <p class="below"><button class="button" type="submit" form="op.logoutForm" name="logout" value="yes">${words('signOut.yes')}</button>
    <a class="button quiet" href="/">${words('signOut.no')}</a></p>`
  return page({ language, title: words('signOut.title'), home, main })
}

/** The pages of the identity provider, each a whole HTML document in the reader's language. */
export function makePages({ demoAccounts, mailboxPath, languageOf }: PagesDeps) {
  /** A page with one message and a link. */
  function message(request: IncomingMessage, one: (words: ReturnType<typeof wordsIn>) => Message): string {
    const language = languageOf(request)
    const { title, lead, to, go, extra } = one(wordsIn(language, 'identity'))
    const main = html`<h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}
      <p class="spaced"><a class="button" href="${to}">${go}</a></p>${extra}`
    return page({ language, title, home, main })
  }

  return {
    signIn: (request: IncomingMessage, state: SignInState) => signInPage(languageOf(request), state, demoAccounts),

    changePassword: (request: IncomingMessage, state: PasswordChangeState) =>
      changePasswordPage(languageOf(request), state),

    passwordChanged: (request: IncomingMessage) =>
      message(request, (words) => ({ title: words('change.done'), to: '/settings/profile', go: words('change.back') })),

    /** The way to sign in, for a page that needs a session. */
    signedOutOf: (request: IncomingMessage) =>
      message(request, (words) => ({
        title: words('signIn.title'),
        lead: words('signIn.needed'),
        to: '/login',
        go: words('goOn'),
      })),

    forgot: (request: IncomingMessage, state: { email: string; isInvalid?: boolean }) =>
      forgotPage(languageOf(request), state),

    resetSent: (request: IncomingMessage, email: string) =>
      message(request, (words) => ({
        title: words('forgot.sentTitle'),
        lead: words('forgot.sent', { email }),
        to: '/login',
        go: words('forgot.back'),
        extra: mailboxPath
          ? html`<p class="below"><a href="${mailboxPath}">${words('forgot.mailbox')}</a></p>`
          : undefined,
      })),

    choosePassword: (request: IncomingMessage, state: PasswordChoiceState) =>
      choosePasswordPage(languageOf(request), state),

    passwordChosen: (request: IncomingMessage, purpose: 'invitation' | 'reset') =>
      message(request, (words) => ({
        title: words(`${purpose}.done`),
        lead: words(`${purpose}.doneLead`),
        to: '/login',
        go: words('goOn'),
      })),

    linkEnded: (request: IncomingMessage, purpose: 'invitation' | 'reset') =>
      message(request, (words) => ({
        title: words(`${purpose}.endedTitle`),
        lead: words(`${purpose}.ended`),
        to: purpose === 'reset' ? '/identity/forgot' : '/login',
        go: purpose === 'reset' ? words('reset.again') : words('goOn'),
      })),

    signOut: (request: IncomingMessage, form: string, isCertain: boolean) =>
      signOutPage(languageOf(request), form, isCertain),

    signedOut: (request: IncomingMessage) =>
      message(request, (words) => ({ title: words('signOut.done'), to: '/', go: words('goOn') })),

    fault: (request: IncomingMessage, reason: string | undefined) =>
      message(request, (words) => ({
        title: words('fault.title'),
        lead: words('fault.lead'),
        to: '/',
        go: words('fault.again'),
        extra: reason
          ? html`<p class="below"><span>${words('fault.reason')}: <span lang="en">${reason}</span></span></p>`
          : undefined,
      })),
  }
}

interface Message {
  title: string
  lead?: string
  to: string
  go: string
  extra?: Html | undefined
}

export type Pages = ReturnType<typeof makePages>
