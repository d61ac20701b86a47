import { type Permission, roleMay } from '#contract/access.ts'
import type { Me } from '#contract/people/user.ts'

/** The facts of a user that decide what they may do. */
export type Holder = Pick<Me, 'role' | 'mayLicense'>

/** Whether a user holds a permission: by role, and for licences also by the provider's option. */
export const userMay = ({ role, mayLicense }: Holder, permission: Permission): boolean =>
  permission === 'license.write' ? mayLicense : roleMay(role, permission)
