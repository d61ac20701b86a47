import { expect, test } from 'vitest'
import { errors } from './errors.ts'

test('every exception of the specification has its code, and so have the messages that name a case', () => {
  const exceptions = [
    'CashDatabaseNotEnabledException',
    'FirmwareInUseException',
    'FirmwareNotEnabledException',
    'GroupAdminMerchantsValidationException',
    'LicenseDeactivatedException',
    'LicenseExpiredException',
    'LicenseDoesNotExistException',
    'LicenseNotAssignedYetException',
    'MerchantNotFoundException',
    'SendVpConfigNotAllowed',
    'TokenNotFoundException',
    'TroubleshootingContentExceedsSizeLimits',
    'UnauthorizedUserException',
    'VpConfigNotValidException',
  ]
  const cases = [
    'NotFound',
    'Forbidden',
    'BadRequest',
    'Conflict',
    'Unauthorized',
    'Internal',
    'ServiceUnavailable',
    'UserAlreadyExists',
    'ClientAlreadyExists',
    'ProductAlreadyExists',
    'PosNameTaken',
    'VpConfigurationNameAlreadyExists',
    'RemoteCommandPending',
    'NoMediasRefunded',
    'DatabaseVersionAlreadyRegistered',
    'AuditNotFound',
    'ConfigurationNotFound',
    'UnsupportedMediaType',
    'LicenseNotUnassigned',
    'RepositoryAuthenticationFailed',
    'PostalCodeNotFound',
    'ReportWithoutData',
    'ReportPdfFailed',
  ]
  expect([...exceptions, ...cases].filter((code) => !(code in errors))).toEqual([])
})
