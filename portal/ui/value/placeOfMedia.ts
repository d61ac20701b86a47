/** The page of a medium. */
export const placeOfMedia = (mediaId: string) => ({
  to: '/customers-medias/medias/$mediaId',
  params: { mediaId },
})
/** The page of a customer. */
export const placeOfCustomer = (customerId: string) => ({
  to: '/customers-medias/customers/$customerId',
  params: { customerId },
})
