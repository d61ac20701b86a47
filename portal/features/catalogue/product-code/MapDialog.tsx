import { Button, Flex, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type Product, products } from '#contract/catalogue/product.ts'
import { type ProductCode, productCodes } from '#contract/catalogue/product-code.ts'
import { useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { EndpointSelect } from '#portal/ui/form/choices/EndpointSelect.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'

const Fields = z.strictObject({ productId: z.uuid() })
interface Values extends Record<string, unknown> {
  productId: string | null
}

const optionOf = ({ id, name, code }: Product) => ({ value: id, label: `${name} · ${code}` })

/** Selects the product for a machine's product code. */
export default function MapDialog({ code, close }: { code: ProductCode; close: () => void }) {
  const { t } = useTranslation(['product-code', 'ui'])
  const { merchantId, id: productCodeId } = code
  const form = useSchemaForm<Values>(Fields, { productId: null })
  const save = useCommand(productCodes.mapProductCode, {
    says: ({ productName }) => ({ key: 'product-code:mapped', values: { code: code.code, product: productName } }),
    onDone: close,
  })
  const submit = form.onSubmit(({ productId }) =>
    save.mutate({ params: { merchantId, productCodeId }, body: { productId } }),
  )
  return (
    <Dialog
      onClose={close}
      title={t('dialog.title', { code: code.code })}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <EndpointSelect<Values, Product>
            form={form}
            name="productId"
            label={t('dialog.product')}
            isRequired
            isFirst
            row={products.listProducts}
            input={{ params: { merchantId } }}
            optionOf={optionOf}
          />
          <Flex gap="near" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('dialog.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('dialog.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
