import { part, type Screen } from '#portal/app/screen.ts'

export const licencesScreens: readonly Screen[] = [
  {
    path: '/service-manager',
    needs: 'license.write',
    load: () => import('#portal/features/licences/licence/LicenceListScreen.tsx'),
    label: 'licences',
    words: ['licence', 'list', 'vocabulary'],
    menu: { key: 'i' },
  },
  {
    path: '/service-manager/create',
    needs: 'license.write',
    load: async () => part(await import('#portal/features/licences/licence/licenceRecord.tsx'), 'Create'),
    label: 'newLicence',
    words: ['licence', 'form', 'errors', 'vocabulary'],
    parent: '/service-manager',
  },
  {
    path: '/service-manager/$licenceId',
    needs: 'license.write',
    load: async () => part(await import('#portal/features/licences/licence/licenceRecord.tsx'), 'Page'),
    label: 'licence',
    words: ['licence', 'form', 'errors', 'vocabulary', 'editing'],
    parent: '/service-manager',
  },
]
