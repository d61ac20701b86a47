import { useHere } from '#portal/app/here.ts'

/** Users of the reader's merchants are under /manage; users of all merchants, without groups, under /admin. */
export function useUserPlaces() {
  const isAdmin = useHere()?.screen.path.startsWith('/admin/') ?? false
  const list = isAdmin ? '/admin/users' : '/manage/users'
  return {
    isAdmin,
    list: { to: list },
    create: { to: `${list}/create` },
    of: (userId: string) => ({ to: `${list}/$userId`, params: { userId } }),
  }
}
