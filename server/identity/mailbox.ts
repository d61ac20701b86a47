import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { findFile, findMail, type KeptFile, type KeptMail, listFiles, listMail } from '#database/platform/mailbox.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { html } from '../html/html.ts'
import { mailboxPath } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'
import { page } from './page.ts'
import { pageHeaders } from './security.ts'

const mostShown = 100
const uuid = /^[0-9a-f-]{36}$/

/** The time of a message, in the reader's language, in UTC: the reader's zone is unknown. */
const when = (at: Date, language: Language) =>
  `${new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

/** Shows the development mailbox, for deployments that send no mail. Every visitor can read all links in it. */
export function registerMailbox(
  app: FastifyInstance,
  deps: { doors: Pick<Doors, 'withSystem'>; languageOf: (request: import('node:http').IncomingMessage) => Language },
): void {
  const { doors, languageOf } = deps

  const list = (language: Language, mails: Pick<KeptMail, 'id' | 'at' | 'to' | 'subject'>[]) => {
    const words = wordsIn(language, 'identity')
    const rows = mails.map(
      ({ id, at, to, subject }) =>
        html`<li><a href="${mailboxPath}/${id}"><b>${subject}</b><time datetime="${at.toISOString()}">${when(at, language)}</time><span>${to}</span></a></li>`,
    )
    const none = html`<p class="empty"><b>${words('mailbox.empty')}</b>${words('mailbox.emptyLead')}</p>`
    return html`<h1>${words('mailbox.title')}</h1><p class="lead">${words('mailbox.lead')}</p>
      ${rows.length > 0 ? html`<ul class="mails">${rows}</ul>` : none}`
  }

  const one = (language: Language, mail: KeptMail, files: readonly Pick<KeptFile, 'name'>[]) => {
    const words = wordsIn(language, 'identity')
    return html`<p class="lead"><a href="${mailboxPath}">${words('mailbox.back')}</a></p>
      <h1 class="spaced">${mail.subject}</h1>
      <p class="lead">${words('mailbox.to')} ${mail.to} · <time datetime="${mail.at.toISOString()}">${when(mail.at, language)}</time></p>
      <iframe class="mail" title="${mail.subject}" src="${mailboxPath}/${mail.id}/html" sandbox="allow-top-navigation-by-user-activation"></iframe>
      ${files.map(({ name }, at) => html`<p><a href="${mailboxPath}/${mail.id}/files/${at}" download="${name}">${name}</a></p>`)}
      <details><summary>${words('mailbox.plain')}</summary><pre tabindex="0">${mail.text}</pre></details>`
  }

  const storedMail = async (id: string) =>
    uuid.test(id) ? doors.withSystem('mailbox', (db) => findMail(db, id)) : undefined

  app.get(mailboxPath, async (request, reply) => {
    const language = languageOf(request.raw)
    const mails = await doors.withSystem('mailbox', (db) => listMail(db, mostShown))
    const title = wordsIn(language, 'identity')('mailbox.title')
    reply.headers(pageHeaders).type('text/html; charset=utf-8')
    return page({ language, title, home: '/', look: 'wide', main: list(language, mails) })
  })

  app.get<{ Params: { id: string } }>(`${mailboxPath}/:id`, async (request, reply) => {
    const mail = await storedMail(request.params.id)
    if (!mail) return reply.redirect(mailboxPath)
    const files = await doors.withSystem('mailbox', (db) => listFiles(db, mail.id))
    const language = languageOf(request.raw)
    const frames = `${pageHeaders['content-security-policy']}; frame-src 'self'`
    reply.headers({ ...pageHeaders, 'content-security-policy': frames }).type('text/html; charset=utf-8')
    return page({ language, title: mail.subject, home: '/', look: 'wide', main: one(language, mail, files) })
  })

  app.get<{ Params: { id: string; at: string } }>(`${mailboxPath}/:id/files/:at`, async (request, reply) => {
    const { id, at } = request.params
    const isPlace = uuid.test(id) && /^\d{1,2}$/.test(at)
    const file = isPlace ? await doors.withSystem('mailbox', (db) => findFile(db, id, Number(at))) : undefined
    if (!file) return reply.code(404).send()
    return reply
      .type(file.type)
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .send(file.bytes)
  })

  // The message as mail programs show it: only its own styles. Its links leave the frame.
  app.get<{ Params: { id: string } }>(`${mailboxPath}/:id/html`, async (request, reply) => {
    const mail = await storedMail(request.params.id)
    if (!mail) return reply.code(404).send()
    reply
      .headers({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
      })
      .type('text/html; charset=utf-8')
    return mail.html.replace('<head>', '<head><base target="_top">')
  })
}
