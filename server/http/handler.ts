import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EndpointName, Endpoints } from '#contract/endpoints.ts'
import type { HandlerInput, OfCustomer, OfKiosk, ResultOf } from '#contract/frame/endpoint.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import type { FoundKiosk } from '#database/sales/kiosk.ts'
import type { Config } from '../config.ts'
import type { CustomerPrincipal } from '../customers/admit.ts'
import type { CustomerTokens } from '../customers/tokens.ts'
import type { Blobs } from '../files/blobs.ts'
import type { Invitations } from '../identity/invitations.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Mail } from '../mail/mail.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Caller } from './authentication.ts'
import type { Principal } from './scope.ts'

/** The services behind the API. */
export interface Services {
  config: Config
  doors: Doors
  live: LiveHub
  vault: Vault
  blobs: Blobs
  invitations: Invitations
  customerTokens: CustomerTokens
  mail: Pick<Mail, 'send'>
}

/** What every handler gets beside its validated input. */
export interface Call extends Services {
  now: Date
  request: FastifyRequest
  reply: FastifyReply
}

/** A call by a signed-in user. */
export interface UserCall extends Call {
  user: Principal
  caller: Caller
}

/** A call on a merchant: its tables, narrowed to the caller's scope. */
export interface TenantCall extends UserCall {
  db: TenantDb
}

/** A call by an end customer: the tables of their merchant. Each query is by the customer's own id. */
export interface CustomerCall extends Call {
  customer: CustomerPrincipal
  db: TenantDb
}

/** A call by a wall display: the tables of its merchant, narrowed to its group if it is of one. */
export interface KioskCall extends Call {
  kiosk: FoundKiosk
  db: TenantDb
}

type CallOf<E> = E extends OfCustomer ? CustomerCall : E extends OfKiosk ? KioskCall : StaffCallOf<E>

type StaffCallOf<E> =
  HandlerInput<E> extends { params: { merchantId: string } }
    ? TenantCall
    : E extends { needs: 'anyone' }
      ? Call
      : UserCall

export type Handler<Name extends EndpointName> = (
  call: CallOf<Endpoints[Name]> & HandlerInput<Endpoints[Name]>,
) => Promise<ResultOf<Endpoints[Name]>>

/** Handlers of some rows, by the rows' names. */
export type Handlers<Rows> = { [Name in keyof Rows & EndpointName]: Handler<Name> }
