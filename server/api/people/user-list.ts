import { Readable } from 'node:stream'
import { roleMay } from '#contract/access.ts'
import type { UserFilters, userEdits } from '#contract/people/user-edit.ts'
import { countLimit } from '#database/frame/list.ts'
import type { Scope } from '#database/frame/tenant.ts'
import { findUsers, type UserScope, usersInBatches } from '#database/people/user-list.ts'
import { sendAttachment } from '#server/http/attachment.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { pageLanguage, wordsIn } from '#server/words/words.ts'
import { presentUserRow } from './present-user.ts'
import { userFile } from './user-file.ts'

type Rows = Pick<typeof userEdits, 'listEveryUser' | 'listUsersOfAll' | 'listUsers' | 'exportUsers'>

/** The users visible within a scope. Only the provider sees users who are hidden from merchants. */
const sightOf = ({ user }: Pick<UserCall, 'user'>, scope: Scope, isEverybody: boolean): UserScope => ({
  scope,
  isEverybody,
  seesInvisible: roleMay(user.role, 'user.readAll'),
})

const filtersIn = ({
  search,
  roles,
  statuses,
  merchantIds,
  groupIds,
  receiveNotifications,
  mayLicense,
}: UserFilters) => ({
  search,
  roles,
  statuses,
  merchantIds,
  groupIds,
  receiveNotifications,
  mayLicense,
})

/** Users in lists and files. */
export const userListHandlers: Handlers<Rows> = {
  listEveryUser: async (call) => {
    const everybody = sightOf(call, call.user.scope, true)
    const { rows, total, capped } = await findUsers(call.doors, everybody, {}, { page: 1, size: countLimit })
    const items = rows.map(({ id, email, name, role, status }) => ({ id, email, name, role, status }))
    return { items, total, capped }
  },

  listUsersOfAll: async (call) => {
    const userScope = sightOf(call, call.user.scope, true)
    const { rows, total, capped } = await findUsers(call.doors, userScope, filtersIn(call.query), call.query)
    return { items: rows.map(presentUserRow), total, capped }
  },

  listUsers: async (call) => {
    const userScope = sightOf(call, call.db.scope, false)
    const { rows, total, capped } = await findUsers(call.doors, userScope, filtersIn(call.query), call.query)
    return { items: rows.map(presentUserRow), total, capped }
  },

  exportUsers: async (call) => {
    const { doors, config, user, query, request, reply, now } = call
    const userScope = sightOf(call, user.scope, roleMay(user.role, 'user.readAll'))
    const language = pageLanguage({
      chosen: user.language ?? undefined,
      deployment: config.DEFAULT_LANGUAGE,
      accept: request.headers['accept-language'],
    })
    const day = now.toISOString().slice(0, 10)
    return sendAttachment(reply, {
      name: `${wordsIn(language, 'export')('lists.users')} ${day}.csv`,
      type: 'text/csv; charset=utf-8',
      // Backpressure: rows are fetched only as fast as the client reads.
      content: Readable.from(userFile(usersInBatches(doors, userScope, query), language, userScope.seesInvisible)),
    })
  },
}
