import type { Screen } from '#portal/app/screen.ts'

export const peopleScreens: readonly Screen[] = [
  {
    path: '/manage/users',
    needs: 'user.write',
    load: () => import('#portal/features/people/user/UserListScreen.tsx'),
    label: 'users',
    words: ['user', 'list'],
    menu: { key: 'u' },
  },
  {
    path: '/manage/users/create',
    needs: 'user.write',
    load: () => import('#portal/features/people/user/NewUserScreen.tsx'),
    label: 'newUser',
    words: ['user', 'form', 'errors', 'editing'],
    parent: '/manage/users',
  },
  {
    path: '/manage/users/$userId',
    needs: 'user.write',
    load: () => import('#portal/features/people/user/UserScreen.tsx'),
    label: 'user',
    words: ['user', 'form', 'errors', 'editing', 'profile'],
    parent: '/manage/users',
  },
  {
    path: '/admin/users',
    needs: 'user.readAll',
    load: () => import('#portal/features/people/user/UserListScreen.tsx'),
    label: 'users',
    words: ['user', 'list'],
    menu: { key: 'p' },
  },
  {
    path: '/admin/users/create',
    needs: 'user.readAll',
    load: () => import('#portal/features/people/user/NewUserScreen.tsx'),
    label: 'newUser',
    words: ['user', 'form', 'errors', 'editing'],
    parent: '/admin/users',
  },
  {
    path: '/admin/users/$userId',
    needs: 'user.readAll',
    load: () => import('#portal/features/people/user/UserScreen.tsx'),
    label: 'user',
    words: ['user', 'form', 'errors', 'editing', 'profile'],
    parent: '/admin/users',
  },
  {
    path: '/settings/profile',
    needs: 'profile.read',
    load: () => import('#portal/features/people/profile/ProfileScreen.tsx'),
    label: 'profile',
    words: ['profile', 'palette', 'editing', 'form'],
  },
]
