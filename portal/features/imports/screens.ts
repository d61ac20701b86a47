import type { Screen } from '#portal/app/screen.ts'

export const importsScreens: readonly Screen[] = [
  {
    path: '/manage/imports',
    needs: 'import.create',
    load: () => import('#portal/features/imports/ImportListScreen.tsx'),
    label: 'imports',
    words: ['import', 'list'],
    menu: {},
  },
  {
    path: '/manage/imports/create',
    needs: 'import.create',
    load: () => import('#portal/features/imports/ImportScreen.tsx'),
    label: 'newImport',
    words: ['import', 'vocabulary', 'assigned', 'form', 'errors'],
    parent: '/manage/imports',
  },
]
