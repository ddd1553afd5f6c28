// Declare resources of pulumi-edge-policy here, or let its command `import` write what exists.
export {};
