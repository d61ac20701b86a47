import { z } from 'zod'

/** A user's status: invited by mail, active, or suspended. */
export const userStatuses = ['invited', 'active', 'suspended'] as const
export const UserStatus = z.enum(userStatuses)
export type UserStatus = z.infer<typeof UserStatus>
