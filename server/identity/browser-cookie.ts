import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { identityPath } from './provider.ts'

const cookieName = 'gettone_browser'
const yearSeconds = 31_536_000

/** The browser's id: its cookie, or a new random value that `keepBrowser` sets after a sign-in. */
export const browserOf = ({ headers }: IncomingMessage): string =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{22})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ??
  randomBytes(16).toString('base64url')

/** Marks a browser after a correct password, so that it is recognized later. The cookie names no user. */
export function keepBrowser(reply: FastifyReply, origin: string, browser: string): void {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  const cookie = `${cookieName}=${browser}; Path=${identityPath}; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax${secure}`
  reply.header('set-cookie', cookie)
}
